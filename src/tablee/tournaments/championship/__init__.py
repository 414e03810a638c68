"""Championships: one standings over several tournaments, whatever their games are."""
