"""The record of an owner: who keeps an animal now, where they live, and how all keepers are told (90.03 OWNER)."""
