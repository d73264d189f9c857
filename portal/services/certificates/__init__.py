"""Rabies certificates of registered animals: sent, asked of a clinic, read, decided, demanded (90.04(D))."""
