"""People as others are shown them, and what follows when one leaves."""
