"""What somebody owes: orders and their fees, receipts, and doubts about a fee (90.18)."""
