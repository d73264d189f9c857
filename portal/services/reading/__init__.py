"""How the lines of a certificate become suggestions: what stands where, which label it follows, and what it means."""
