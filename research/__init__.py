"""The laboratory: matches between AIs, training, environments and datasets. The service does not import it."""
