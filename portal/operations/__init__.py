"""What whoever runs the portal does with it: back it up, restore it, check it.

`portal backup`, `portal restore` and `portal check` are these deeds at the console.
"""
