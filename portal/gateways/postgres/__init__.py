"""The embedded PostgreSQL of a first run (`embedded`, in its `home`), and PostgreSQL's own `programs`.

The process that keeps the server is named in full, as lists of processes show it.
"""
