"""Our value objects as plain JSON values, and back: dates, instants and keys as text."""

from functools import cache
from uuid import UUID

from cattrs.preconf.json import JsonConverter, make_converter


@cache
def plain_values() -> JsonConverter:
    """The converter for frozen dataclasses; it passes over what a newer or older release wrote and we don't know.

    There is one, for it writes and compiles a function for each class that it meets. Whoever wants to teach it more
    teaches a `copy()`.
    """
    converter = make_converter()
    converter.register_unstructure_hook(UUID, str)
    converter.register_structure_hook(UUID, lambda value, _: UUID(value))
    return converter
