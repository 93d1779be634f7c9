"""What callers see of games: views, lists, pictures, exports, presence."""
