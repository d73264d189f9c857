"""Whether all is well: what waits and fails, what does not agree, and whether this process can work."""
