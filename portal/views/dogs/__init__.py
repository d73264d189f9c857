"""What a resident keeps: the list, where each license stands, certificates, proof."""

from portal.views.dogs import certificates, status
from portal.views.dogs.blueprint import blueprint

__all__ = ["blueprint", "certificates", "status"]
