"""Attacks (sections J and K): from the declaration to the follow-up, a module for each part of it."""
