"""Code that all use cases share: context, access, loading and committing, texts."""
