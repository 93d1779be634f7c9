"""The OpenAPI document, the documentation pages and static files."""
