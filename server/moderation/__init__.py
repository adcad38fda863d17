"""Moderation: blocks, lasting mutes, reports, and the chained log of the staff's acts."""
