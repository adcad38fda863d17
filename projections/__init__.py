"""Redaction, views, narration and Scenes: one path from the record to everything that a viewer may see."""
