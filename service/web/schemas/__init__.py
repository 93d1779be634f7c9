"""Request and response schemas: one module per URL family, plus shared fields."""
