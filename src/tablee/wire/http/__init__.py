"""What every door that speaks HTTP shares: routes as data, bodies, one way to answer and refuse, OpenAPI."""
