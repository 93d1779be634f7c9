"""The table as SVG and as text."""
