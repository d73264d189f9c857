"""What clinics and their software do: filings, matched to animals, and suspected rabies (90.04(D)(2), 90.08(C))."""
