"""Views, lists, pictures, exports and viewers of games."""
