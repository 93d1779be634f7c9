"""One search for every ruleset, compiled once."""
