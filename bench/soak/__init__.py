"""An hour in the life of a busy portal: `python -m bench.soak --minutes 60 --rate 50`."""
