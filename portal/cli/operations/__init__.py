"""What whoever runs the portal does beside running it: build, migrate, check, back up, move files, a first look.

Also what other software asks for: the feed of events and the contract of the schema.
"""
