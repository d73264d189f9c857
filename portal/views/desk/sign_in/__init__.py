"""Signing in at the desk: a code by e-mail, a second step, and how the second steps are set up."""

from portal.views.desk.sign_in import code, passkeys, second_steps
from portal.views.desk.sign_in.blueprint import blueprint

__all__ = ["blueprint", "code", "passkeys", "second_steps"]
