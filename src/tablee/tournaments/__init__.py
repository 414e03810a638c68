"""Tournaments of every game: who meets whom, what it is worth, who stands where."""
