"""Operations on analyses and tournaments."""
