"""The pages for veterinary clinics, by what a clinic does on them."""

from portal.views.vet import account, certificates, files, staff, suspected, table, tokens
from portal.views.vet.blueprint import blueprint

__all__ = ["account", "blueprint", "certificates", "files", "staff", "suspected", "table", "tokens"]
