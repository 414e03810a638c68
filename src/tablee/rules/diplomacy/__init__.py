"""The rules of Diplomacy: variants, orders, adjudication, phases, and the game at a table."""
