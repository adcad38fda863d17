"""Notices to people who are away that it is their move, or how their match ended."""
