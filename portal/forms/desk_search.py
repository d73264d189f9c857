"""The one box that finds everything at the desk."""

from portal.forms.base import PortalForm
from portal.forms.fields import SaysWhen, TextField


class SearchForm(PortalForm):
    """Looking changes nothing, so the form is a GET and needs no token."""

    class Meta(PortalForm.Meta):
        csrf = False

    q = TextField(
        "Search",
        [SaysWhen()],
        max_length=200,
        hint="A name, an address, a phone, an e-mail address, a microchip or four digits of it, a tag, an order.",
        autocomplete="off",
        render_kw={"data-find": True},
    )
