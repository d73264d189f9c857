"""A name typed in the place of a signature."""

from portal.forms.fields import Needed, TextField


def signature() -> TextField:
    """The question, the same wherever something is signed."""
    return TextField(
        "Signature: type your name",
        [Needed("Type your name as signature")],
        hint="It stands for your signature. We keep when it was sent.",
        max_length=200,
        autocomplete="off",
    )
