"""The files of a picture that nobody is to see any more."""

from portal.services.files.hold_files import may_let_files_go
from portal.services.notices.change_notice import Gone
from portal.views.work import gateways, transaction


def let_go(gone: Gone) -> None:
    """Once that is committed, at once; the sweep takes what a killed process or a backup in the making left."""
    if not gone.keys:
        return
    with transaction() as db:
        may = may_let_files_go(db)
    for key in gone.keys if may else ():
        gateways().storage.delete(key)
