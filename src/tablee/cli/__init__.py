"""The command `tablee`: one verb a command."""
