"""What is asked and answered, as schemas: a module for each family of URLs, and what they are made of."""
