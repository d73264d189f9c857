"""How quick, how light and how well marked the portal is: `python -m bench` measures and prints it all in one run."""
