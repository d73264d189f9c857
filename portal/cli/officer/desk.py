"""What the officer's commands share: one transaction in the role of the desk, and how things are printed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from uuid import UUID

import click
from sqlalchemy.orm import InstrumentedAttribute, Session

from portal.city import City
from portal.cli.environment import clock_given, read_settings, ready_database
from portal.composition import Gateways, compose
from portal.gateways.clock import Clock
from portal.gateways.mail.letter import one_line
from portal.gateways.storage.store import FileMissing
from portal.schema.documents import Document
from portal.schema.roles import DESK
from portal.services.desk.console import Ambiguous, key_beginning
from portal.services.files.scans import HeldBack, check_clear
from portal.services.refusal import ChangedMeanwhile, NotTheirs, Refused
from portal.settings import Settings

SHORT_KEY = 8


@dataclass(frozen=True)
class Desk:
    """The gateways, and the transaction that commits when the command ends well."""

    gateways: Gateways
    session: Session
    settings: Settings

    @property
    def city(self) -> City:
        return self.gateways.city

    @property
    def clock(self) -> Clock:
        return self.gateways.clock

    def key(self, key: InstrumentedAttribute[UUID], beginning: str) -> UUID:
        """The one key that begins as somebody typed it."""
        return key_beginning(self.session, key, beginning)


@contextmanager
def at_the_desk() -> Iterator[Desk]:
    """One transaction in the role of the city's desk; what a service refuses ends the command with its sentences."""
    with ready_database(read_settings()) as database:
        gateways = compose(database.settings, database_url=database.url, role=DESK, clock=clock_given())
        try:
            with Session(gateways.engine, expire_on_commit=False) as session, session.begin():
                yield Desk(gateways, session, database.settings)
        except (Refused, NotTheirs, Ambiguous, ChangedMeanwhile) as no:
            raise click.ClickException(str(no)) from no
        finally:
            gateways.engine.dispose()


def short(key: UUID) -> str:
    """Enough of a key to type."""
    return str(key)[:SHORT_KEY]


def plain(value: object) -> str:
    """A value as text for a terminal: what somebody typed can neither break the line nor control the screen.

    A word of the portal's own is spelled with blanks.
    """
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M} UTC"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, StrEnum):
        return value.replace("_", " ")
    return one_line(str(value)) or "-"


def money(cents: int) -> str:
    """$10.00"""
    return f"${cents // 100:,}.{cents % 100:02d}"


def print_rows(heads: list[str], rows: list[list[str]], *, none: str) -> None:
    """A table whose columns are as wide as what stands in them; `none` when there is nothing."""
    if not rows:
        click.echo(none)
        return
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def save_pages(desk: Desk, document: Document | None, *, name: str, folder: Path | None) -> None:
    """Name the pages of a file, and write them to the folder if there is one."""
    if document is None:
        click.echo("No file was sent.")
        return
    for page in document.pages:
        if folder is None:
            click.echo(f"Page {page.number}: {page.key} ({page.width} x {page.height}); --save FOLDER writes it there")
            continue
        _save(desk, page.key, what=f"Page {page.number}", place=folder / f"{name}-page-{page.number}.jpg")
    for number, key in enumerate(_originals(document), start=1):
        if folder is None:
            click.echo(f"PDF as it came: {key}; it may hold more than its pages show, and is best left alone")
        else:
            _save(desk, key, what="PDF as it came", place=folder / f"{name}-original-{number}.pdf")


def _originals(document: Document) -> list[str]:
    """Where the PDFs lie that were sent, each once."""
    keys = (document.original_key, *(page.original_key for page in document.pages))
    return list(dict.fromkeys(key for key in keys if key))


def _save(desk: Desk, key: str, *, what: str, place: Path) -> None:
    try:
        check_clear(desk.session, key)
        with desk.gateways.storage.open(key) as content:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.read())
    except FileMissing:
        click.echo(f"{what} is missing from the file store.")
    except HeldBack as held:
        click.echo(f"{what} is kept closed: {held}.")
    else:
        click.echo(f"{what}: {place}")


def print_facts(facts: dict[str, object]) -> None:
    """One fact a line."""
    width = max(len(name) for name in facts) + 1
    for name, value in facts.items():
        click.echo(f"{name + ':':<{width}} {plain(value)}")


def named(values: Mapping[str, object]) -> dict[str, object]:
    """What is stored under a name, as facts under that name in words."""
    return {name.replace("_", " ").capitalize(): value for name, value in values.items()}
