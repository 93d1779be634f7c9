"""Operations on games."""
