"""The rules of Vera Discordia: one module per section of the ledger, in its order."""
