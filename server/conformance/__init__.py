"""Conformance of games: `herald conformance` and the tests play at random and try to distinguish worlds."""
