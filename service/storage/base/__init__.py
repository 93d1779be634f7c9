"""Shared by the other packages: connections, keys, scripts, packing and lists."""
