"""Views of puzzles."""
