"""The API's document: how it is built, the built file, the recorded examples."""
