"""The games of somebody in forms that other programs read: a calendar and a feed."""
