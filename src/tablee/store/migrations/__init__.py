"""How the schema came to be, one file a step; `env.py` is what Alembic runs."""
