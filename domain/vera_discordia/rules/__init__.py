"""The rules, a module for each section of the ledger (README.md). `GAME` finds them by walking this package."""
