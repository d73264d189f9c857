"""Our value objects as plain JSON values, and back: dates, instants and keys as text."""

from uuid import UUID

from cattrs.preconf.json import JsonConverter, make_converter


def plain_values() -> JsonConverter:
    """A converter for frozen dataclasses; it passes over what a newer or older release wrote and we don't know."""
    converter = make_converter()
    converter.register_unstructure_hook(UUID, str)
    converter.register_structure_hook(UUID, lambda value, _: UUID(value))
    return converter
