"""The service for language models: an MCP server that speaks the public API and knows no rules."""
