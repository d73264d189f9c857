"""Opening hours as people say them."""

from datetime import time

from portal.ordinance.days import Opening, OpeningHours

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def opening_lines(hours: OpeningHours) -> list[str]:
    """Monday to Friday, 8 a.m. to 4:30 p.m.: days that follow each other with the same hours share a line."""
    runs: list[tuple[list[str], tuple[Opening, ...]]] = []
    for number, day in enumerate(WEEKDAYS):
        openings = hours.get(number, ())
        if runs and runs[-1][1] == openings:
            runs[-1][0].append(day)
        else:
            runs.append(([day], openings))
    return [f"{_days(days)}, {_openings(openings)}" for days, openings in runs if openings]


def _days(days: list[str]) -> str:
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _openings(openings: tuple[Opening, ...]) -> str:
    return " and ".join(f"{clock_time(opening.opens)} to {clock_time(opening.closes)}" for opening in openings)


def clock_time(value: time) -> str:
    """4:30 p.m., noon"""
    if (value.hour, value.minute) == (12, 0):
        return "noon"
    minutes = f":{value.minute:02d}" if value.minute else ""
    return f"{value.hour % 12 or 12}{minutes} {'a.m.' if value.hour < 12 else 'p.m.'}"
