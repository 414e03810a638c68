"""Letters that come in: orders and words of players who only read their mail."""
