"""The rules of Joan of Arc, one module for each section of the ledger or a part of it."""
