"""The record: lines, chain, seals, stores, seek, audit, branch and export."""
