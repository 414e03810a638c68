"""The maps of Diplomacy: drawings read from a source of ours, and a layout for variants without one."""
