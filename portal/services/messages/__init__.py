"""Letters to people: queued with the change they tell of, delivered, bounced, and what each mailbox wants."""
