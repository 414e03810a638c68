"""What people say, on its way to those who listen."""
