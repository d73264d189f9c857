"""Reports of nuisances: written, sent, followed, handled, merged; what their reporter may see (90.11(A), 13.44)."""
