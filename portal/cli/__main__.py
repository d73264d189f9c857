"""`python -m portal.cli` is the same as `portal`: the supervisor starts its children with its own interpreter."""

from portal.cli import main

if __name__ == "__main__":
    main()
