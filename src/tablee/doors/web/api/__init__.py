"""From a request to a route's function and back: who asks, what he may, what is refused."""
