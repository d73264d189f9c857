"""The people at the city's desk: who they are, and the two steps of their sign-in."""
