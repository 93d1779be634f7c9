"""What the rules of the tiny ruleset say."""
