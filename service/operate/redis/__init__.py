"""The embedded Redis: start, repair, back up."""
