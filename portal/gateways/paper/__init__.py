"""Sheets of paper as PDFs: posters, labels, the certificate of registration. `typesetting` sets them all.

Their templates lie in `sheets`. The child process that opens them is named in full, as lists of processes show it.
"""
