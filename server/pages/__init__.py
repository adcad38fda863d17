"""What a browser loads, and the same in one file."""
