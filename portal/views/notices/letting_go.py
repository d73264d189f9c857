"""The files of a picture that nobody is to see any more."""

from portal.services.change_notice import Gone
from portal.views.work import gateways


def let_go(gone: Gone) -> None:
    """Once that is committed, at once; the sweep takes what a killed process left."""
    for key in gone.keys:
        gateways().storage.delete(key)
