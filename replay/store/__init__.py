"""Where records lie: the log that appends and reads, in memory and in SQLite."""
