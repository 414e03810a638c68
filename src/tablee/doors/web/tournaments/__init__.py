"""Tournaments as the API shows them."""
