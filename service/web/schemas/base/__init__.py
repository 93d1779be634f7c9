"""Schemas and fields that several packages share."""
