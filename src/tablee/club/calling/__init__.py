"""Calling people who are not looking at the page: what is told, who wants it how, and when it is due."""
