"""TCP connections of the historic protocols: bounded reading and writing, one timer for all of them."""
