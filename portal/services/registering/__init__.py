"""Registering animals for the first time, from the page or at the counter, all or nothing (90.04(B)(2))."""
