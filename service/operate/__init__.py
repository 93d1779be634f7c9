"""Running the service: the embedded Redis, the supervisor, doctor, logs.

Nothing is imported here: `parent_death` starts once for every supervised program and must stay light.
"""
