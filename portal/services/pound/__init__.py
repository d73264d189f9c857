"""Animals at the pound: how they come and leave, who is told, what anybody may read of it (90.07)."""
