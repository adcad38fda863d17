"""The rules of War for Edaðh: one module per section of the ledger, in its order."""
