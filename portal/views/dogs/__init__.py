"""What a resident keeps: the list, where each license stands, certificates, proof."""

from portal.views.dogs import ask_vet, certificates, details, found, gone, keepers, photo, pound, renewals, status, tags
from portal.views.dogs.blueprint import blueprint

__all__ = [
    "ask_vet",
    "blueprint",
    "certificates",
    "details",
    "found",
    "gone",
    "keepers",
    "photo",
    "pound",
    "renewals",
    "status",
    "tags",
]
