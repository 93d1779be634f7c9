"""Operations on seeks, challenges, competitions and bots."""
