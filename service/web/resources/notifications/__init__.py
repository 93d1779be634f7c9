"""Operations on webhooks and devices."""
