"""Answer one field of a form and see what becomes of it."""

from typing import Any

from werkzeug.datastructures import MultiDict

from portal.forms.base import PortalForm
from tests.forms.conftest import TODAY


def answer(unbound_field: Any, **typed: str) -> Any:
    """The field `asked` of a form after it was sent with these values (`asked__day` stands for `asked-day`)."""
    form_class = type("OneQuestion", (PortalForm,), {"asked": unbound_field})
    form = form_class(
        formdata=MultiDict({name.replace("__", "-"): value for name, value in typed.items()}), today=TODAY
    )
    form.validate()
    return form.asked
