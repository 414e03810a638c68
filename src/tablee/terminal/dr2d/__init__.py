"""A reference console for DR2D: it answers every call, and may be the start of somebody's own player."""
