"""Moderation: blocks, mutes that last, reports, and the chained log of what the staff did."""
