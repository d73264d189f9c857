"""The registered animals: found by tag, chip or likeness of two records, and looked at by whoever keeps them."""
