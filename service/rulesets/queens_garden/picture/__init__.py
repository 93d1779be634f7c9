"""The table as SVG."""
