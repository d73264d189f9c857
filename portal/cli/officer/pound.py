"""`portal pound`: an officer writes down what comes to the pound, whose it is, and what leaves it (90.07)."""

from datetime import date
from pathlib import Path
from typing import Any

import click

from portal.cli.officer.desk import Desk, at_the_desk, plain, print_facts, print_rows, short
from portal.cli.officer.typed import DAY, OneOf, beginning_argument, officer_option
from portal.gateways.file_refusal import FileRefused
from portal.schema.animals import Animal, Sex
from portal.schema.documents import DocumentKind
from portal.schema.impoundments import ImpoundBasis, Impoundment, ImpoundOutcome, OwnerTold
from portal.schema.notices import Size
from portal.services.files.accept_upload import StoredUpload, store_upload
from portal.services.owners.keepers_now import first_keeper
from portal.services.pound.impound import Intake, Party, identify, note_owner_told, parties, release, stays, take_in
from portal.services.pound.reclaiming import reclaiming

on_option = click.option("--on", "day", type=DAY, help="The day, if it was not today.")


@click.group()
def pound() -> None:
    """Animals at the pound. An id may be given by its unique beginning.

    Who brought an animal and who took it stay at the desk; what it looks like stands on the portal's page (346.47).
    """


@pound.command("list")
def list_stays() -> None:
    """List the animals that are there, those that came first first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(stay.id),
                plain(stay.seized_on),
                plain(stay.basis),
                plain(" ".join(filter(None, (stay.color, stay.breed, stay.species)))),
                plain(_kept_through(desk, stay)),
                short(stay.animal_id) if stay.animal_id else "whose?",
                "told" if stay.owner_told_on else "to be told" if stay.animal_id else "",
            ]
            for stay in stays(desk.session)
        ]
    heads = ["id", "came", "why", "animal", "kept through", "registered", "owner"]
    print_rows(heads, rows, none="No animal is at the pound.")


@pound.command()
@click.option("--species", required=True, help="dog, cat, or what it is in a word.")
@click.option("--place", required=True, help="Where it was seized, exactly; for the record.")
@click.option("--area", default="", help="Where it was seized, as everyone reads it: a block, a park.")
@click.option("--basis", type=OneOf(ImpoundBasis), default="at_large", show_default=True)
@click.option("--breed", default="")
@click.option("--color", default="")
@click.option("--sex", type=OneOf(Sex))
@click.option("--size", type=OneOf(Size))
@click.option("--age", "age_text", default="", help="About how old, in words.")
@click.option("--marks", default="", help="Other traits: marks, collar.")
@click.option("--chip", "microchip", help="Its microchip.")
@click.option("--tag", "tag_text", help="The number of its license tag.")
@click.option("--animal", metavar="ANIMAL", help="The registered animal it is, by its id.")
@click.option("--photo", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--from-name", help="Who brought it. Never shown by the portal.")
@click.option("--from-address", help="Their address.")
@on_option
@officer_option
def add(
    animal: str | None,
    photo: Path | None,
    from_name: str | None,
    from_address: str | None,
    day: date | None,
    officer: str,
    **looks: Any,
) -> None:
    """Write down an animal that came in. If it is known whose it is, its keepers are written to besides."""
    with at_the_desk() as desk:
        stored = _stored(desk, photo) if photo else None
        intake = Intake(
            **looks,
            seized_on=day or desk.clock.today(),
            animal_id=desk.key(Animal.id, animal) if animal else None,
            photo=stored,
            received_from=_party(from_name, from_address),
        )
        stay = take_in(desk.session, intake, officer=officer, clock=desk.clock)
        click.echo(f"{short(stay.id)} is kept for its owner through {plain(_kept_through(desk, stay))}.")
        _say_whom_to_tell(desk, stay)


@pound.command()
@beginning_argument
def show(beginning: str) -> None:
    """Show all that is written down of one animal, and who brought and took it."""
    with at_the_desk() as desk:
        stay = desk.session.get_one(Impoundment, desk.key(Impoundment.id, beginning))
        print_facts(_facts(desk, stay))
        for party in parties(desk.session, stay.id):
            click.echo(f"  {plain(party.side)}: {plain(party.name)}, {plain(party.address)}")
        _say_whom_to_tell(desk, stay)


@pound.command("identify")
@beginning_argument
@click.argument("animal_beginning", metavar="ANIMAL")
@officer_option
def identify_animal(beginning: str, animal_beginning: str, officer: str) -> None:
    """Say which registered animal it is; its keepers are written to besides."""
    with at_the_desk() as desk:
        stay = identify(
            desk.session,
            impoundment_id=desk.key(Impoundment.id, beginning),
            animal_id=desk.key(Animal.id, animal_beginning),
            officer=officer,
        )
        _say_whom_to_tell(desk, stay)


@pound.command()
@beginning_argument
@click.option("--how", type=OneOf(OwnerTold), required=True)
@on_option
@officer_option
def told(beginning: str, how: OwnerTold, day: date | None, officer: str) -> None:
    """Note that the owner was told, personally or through the mail (90.07(B))."""
    with at_the_desk() as desk:
        stay = note_owner_told(
            desk.session,
            impoundment_id=desk.key(Impoundment.id, beginning),
            how=how,
            on=day,
            officer=officer,
            clock=desk.clock,
        )
        click.echo(f"Noted for {short(stay.id)}.")


@pound.command("release")
@beginning_argument
@click.option("--as", "outcome", type=OneOf(ImpoundOutcome), required=True)
@click.option("--to-name", help="Who took it, if it was transferred. Never shown by the portal.")
@click.option("--to-address", help="Their address.")
@on_option
@officer_option
def release_animal(
    beginning: str,
    outcome: ImpoundOutcome,
    to_name: str | None,
    to_address: str | None,
    day: date | None,
    officer: str,
) -> None:
    """Note that it left. Its page on the portal is over; its record stays."""
    with at_the_desk() as desk:
        stay = release(
            desk.session,
            impoundment_id=desk.key(Impoundment.id, beginning),
            outcome=outcome,
            on=day,
            to=_party(to_name, to_address),
            officer=officer,
            clock=desk.clock,
        )
        click.echo(f"{short(stay.id)} left on {plain(stay.left_on)}.")


def _party(name: str | None, address: str | None) -> Party | None:
    if not name and not address:
        return None
    if not name or not address:
        raise click.UsageError("Give both the name and the address")
    return Party(name, address)


def _stored(desk: Desk, photo: Path) -> StoredUpload:
    """The picture in the store. It takes a second, and the desk's transaction has not begun to ask anything."""
    try:
        with photo.open("rb") as content:
            return store_upload(
                content,
                name=photo.name,
                kind=DocumentKind.ANIMAL_PHOTO,
                storage=desk.gateways.storage,
                largest_bytes=desk.city.uploads.max_file_bytes,
            )
    except FileRefused as refused:
        raise click.ClickException(refused.sentence) from refused


def _kept_through(desk: Desk, stay: Impoundment) -> date | None:
    today = desk.clock.today()
    return reclaiming(stay.seized_on, needs_license=False, city=desk.city, on=today).kept_through


def _say_whom_to_tell(desk: Desk, stay: Impoundment) -> None:
    """90.07(B): the owner is told without delay, personally or by mail; the portal's letter is not that notice."""
    if stay.animal_id is None or stay.owner_told_on is not None or stay.left_on is not None:
        return
    owner = first_keeper(desk.session, stay.animal_id)
    if owner is None:
        click.echo("Nobody keeps the registered animal now.")
        return
    click.echo("Tell its owner without delay, personally or by US mail (90.07(B)); the portal’s letter is not enough:")
    click.echo(f"  {plain(owner.name)}, {plain(owner.phone)}")
    click.echo(f"Then: portal pound told {short(stay.id)} --how personally")


def _facts(desk: Desk, stay: Impoundment) -> dict[str, object]:
    return {
        "Animal": f"{short(stay.id)} ({stay.id})",
        "Why": stay.basis,
        "Species": stay.species,
        "Breed": stay.breed,
        "Color": stay.color,
        "Sex": stay.sex,
        "Size": stay.size,
        "Age": stay.age_text,
        "Marks": stay.marks,
        "Came": stay.seized_on,
        "Area, as everyone reads it": stay.area,
        "Seized at": stay.place,
        "Kept through": _kept_through(desk, stay),
        "Microchip": stay.microchip,
        "Tag": stay.tag_text,
        "Registered animal": stay.animal_id,
        "Owner told": stay.owner_told_on,
        "How": stay.owner_told_how,
        "Portal wrote": stay.keepers_written_at,
        "Left": stay.left_on,
        "Outcome": stay.outcome,
    }
