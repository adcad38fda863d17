"""The rules, a module for each section of the ledger or a part of it (README.md). `GAME` finds them by walking."""
