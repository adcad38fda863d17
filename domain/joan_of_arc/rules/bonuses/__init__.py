"""Bonus actions of characters (JA-084, JA-085, JA-087): command, discuss, upgrade; a module for each."""
