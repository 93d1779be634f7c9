"""Rules that several games share: bags, factories, turns, steps."""
