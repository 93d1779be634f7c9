"""Views: one module per URL family."""
