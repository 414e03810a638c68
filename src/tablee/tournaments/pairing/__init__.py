"""Who meets whom: pure functions of what was played, with chance from a seed."""
