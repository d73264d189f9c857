"""Photos and documents that people send: told by `kind`, made safe to show by `making`, with `advice` or a `refusal`.

The child process that opens them is named in full, as lists of processes show it.
"""
