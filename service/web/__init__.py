"""The HTTP API: thin views over the use cases. Everything here is about HTTP; nothing here knows a rule of a game."""
