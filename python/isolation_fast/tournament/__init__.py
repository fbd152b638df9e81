"""Tournaments at volume: who is the better player, and how sure that is."""
