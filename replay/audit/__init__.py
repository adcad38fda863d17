"""Whether a record is whole, true to its rules, and its dice chosen by nobody."""
