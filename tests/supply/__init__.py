"""What the portal is made of: every package with its license, as a list and as a bill of materials."""
