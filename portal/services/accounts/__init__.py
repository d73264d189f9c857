"""A person's account: changing its mailbox, closing it, and all that the portal holds about them."""
