"""Files that people send: scanned, stored, waiting for the scanner, joined, moved to another store."""
