"""Puzzles: choosing, solving, the daily puzzle and the progress of players."""
