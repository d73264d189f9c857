"""Serving a WSGI application: waitress, and what residents on phones need otherwise than it does by itself.

`listening` opens the sockets, `server` serves on them and ends without cutting anybody off, `connections` and
`large_bodies` are what one conversation is, `uploads` hands large forms to a process of their own, `memory` keeps what
is held small, and `first_answer` tells whoever started all of it that the pages are there.
"""
