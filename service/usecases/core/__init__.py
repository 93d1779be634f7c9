"""What every use case needs: the context, who may do what, loading and committing, sentences."""
