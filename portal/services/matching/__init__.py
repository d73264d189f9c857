"""Which missing pet is which found one: how alike two descriptions are, and who is told."""
