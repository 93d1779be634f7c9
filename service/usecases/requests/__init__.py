"""What a request asks for, one module for each kind."""
