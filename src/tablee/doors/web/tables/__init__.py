"""Tables, challenges and the queue as they are shown, and who may see them."""
