"""What keepers and the operator do: run due work, archive, show the state of the service."""
