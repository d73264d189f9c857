"""Licenses and tags: applied for, renewed, waived, issued, replaced, proved (90.04(B), (C))."""
