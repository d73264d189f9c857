"""Keeping an animal together, giving it away, and telling that it is gone (90.03 OWNER)."""
