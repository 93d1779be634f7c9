"""The OpenAPI document, its recorded examples, its compatibility check, and the clients."""
