"""Games: commits, logs, events, messages, presence and the archive."""
