"""Standalone programs that check the draws of exported games."""
