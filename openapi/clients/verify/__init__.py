"""Small programs that check the draws of exported games, and need nothing of this service."""
