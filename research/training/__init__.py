"""Training of evaluations and networks from games between AIs."""
