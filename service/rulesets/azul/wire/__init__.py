"""Numbers to JSON and back."""
