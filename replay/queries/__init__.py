"""What many records have to say: statistics, and tables that ordinary tools can ask."""
