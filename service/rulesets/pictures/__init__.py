"""Drawing of tables: SVG, text and animations."""
