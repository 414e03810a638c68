"""The terminal client of Minehive: it speaks the document's protocol and knows nothing of the house."""
