"""Operations on players."""
