"""The city's desk: pages for staff alone, served by an application of their own (portal/desk_app.py)."""
