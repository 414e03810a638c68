"""What this door has for Diplomacy alone."""
