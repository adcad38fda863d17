"""Who may see what: redaction, views, narration and scenes, all made from the record by one path."""
