"""Lost and found notices, and the talk between a finder and an animal's people (90.07, 90.11(B))."""
