"""Conformance of games: `herald conformance` and the tests play at random and try to tell worlds apart."""
