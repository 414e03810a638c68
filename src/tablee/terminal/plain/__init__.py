"""Any game of a house in plain lines, over its web API: for games without a client of their own."""
