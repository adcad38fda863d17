"""Tests of the room of opponents."""
