"""Telling people who are not looking that it is their move, or how their match ended."""
