"""Money that is paid: by card or at the counter, settled, disputed, given back, and questions about it."""
