"""The rules, one module per section of the ledger."""
