"""What waits for the city's staff, and how two of them work on it. Run in the role of the city's desk."""
