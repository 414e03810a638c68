"""What this door has for chess alone."""
