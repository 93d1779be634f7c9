"""The use cases: what anybody may want of a game. The only place that orders load -> check -> append -> wake.

`core` is what all of them need, `requests` are what people and programs ask for, `automatic` is what happens without a
request, and `tasks` are what a background worker computes.
"""
