"""Malformed requests to every route: `make attacks` sends 10,000, the suite a few hundred."""
