"""Redaction, views, narration and scenes: one path makes everything that a viewer may see from the record."""
