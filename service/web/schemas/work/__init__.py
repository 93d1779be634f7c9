"""Schemas of analyses, tournaments and imports."""
