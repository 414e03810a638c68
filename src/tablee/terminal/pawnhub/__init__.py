"""A client for Pawn Hub in the terminal: the plain dialect, in lines."""
