"""The words on the pages of a certificate: `reader` asks, and a child process, named in full, reads."""
