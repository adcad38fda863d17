"""Who stood better in a match, and what would have been better: bots play on from its positions."""
