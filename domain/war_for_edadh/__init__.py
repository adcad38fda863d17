"""War for Edaðh: two Units in three columns, Mastery Cards laid in secret. Ledger: docs/rules/war_for_edadh.md."""
