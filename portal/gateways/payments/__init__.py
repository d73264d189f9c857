"""Payments by card: `processor` is what the portal asks of one, in its words; the rest is Stripe."""
