"""Secrets of a setting that holds more than one, with commas, while one is being changed."""


def several(setting: str) -> tuple[str, ...]:
    """Each of them; none of an empty setting."""
    return tuple(one.strip() for one in setting.split(",") if one.strip())
