"""Shared by all use cases: context, access, loading and committing, texts."""
