"""Outgoing HTTP calls: allowed addresses, signatures, Web Push and OpenID Connect. Knows no games and no Redis."""
