"""Tests of the rules. What each game shows of something hidden is told to the conformance suite before any of them."""

import tests.conformance  # noqa: F401
