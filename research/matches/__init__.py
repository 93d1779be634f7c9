"""AI against AI: how strong is a level, a setting of the search, or another program?"""
