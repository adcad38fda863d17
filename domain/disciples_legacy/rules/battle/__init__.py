"""Battles: sections 2.Z to 2.E of the ledger, steps 1 to 7."""
