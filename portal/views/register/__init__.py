"""Registering dogs, from "do I need a license?" to "sent": a page a question (90.04(B))."""

from portal.views.register import animals, certificates, eligibility, people, send
from portal.views.register.blueprint import blueprint

__all__ = ["animals", "blueprint", "certificates", "eligibility", "people", "send"]
