"""`portal dangerous notice|hearing`: what owners of designated dogs told, and the hearings they asked for (90.13)."""

from datetime import date, datetime

import click

from portal.cli.officer.desk import at_the_desk, plain, print_facts, print_rows, short
from portal.cli.officer.typed import DAY, OneOf, at_option, beginning_argument, officer_option
from portal.schema.dangerous import DangerousDesignation
from portal.schema.dangerous_notices import DangerousNotice, HearingOutcome, HearingRequest
from portal.services.dangerous.decide_hearing import (
    decide_hearing,
    hearings_open,
    hold_hearing,
    match_hearing,
    note_decision_received,
    schedule_hearing,
)
from portal.services.dangerous.tell_dangerous_notice import notices_waiting, see_notice

on_option = click.option("--on", "day", type=DAY, required=True, help="The day.")


@click.group()
def notice() -> None:
    """Notices of moves, sales or gifts, and deaths."""


@notice.command("list")
def list_notices() -> None:
    """List the notices no officer has seen, oldest first."""
    with at_the_desk() as desk:
        rows = [
            [
                short(one.id),
                one.reference,
                plain(one.kind),
                plain(one.happens_on),
                "late" if one.is_late else "",
                plain(animal.name),
            ]
            for one, animal in notices_waiting(desk.session)
        ]
    print_rows(["id", "reference", "of", "day", "", "animal"], rows, none="No notice waits.")


@notice.command("show")
@beginning_argument
@click.option("--ask-affidavit", is_flag=True, help="Ask for an affidavit under oath (347.52(c)).")
@officer_option
def show_notice(beginning: str, ask_affidavit: bool, officer: str) -> None:
    """Show one notice, and note that it was seen."""
    with at_the_desk() as desk:
        notice_id = desk.key(DangerousNotice.id, beginning)
        seen = see_notice(
            desk.session,
            notice_id=notice_id,
            officer=officer,
            asks_affidavit=ask_affidavit,
            clock=desk.clock,
        )
        print_facts(
            {
                "Notice": seen.reference,
                "Of": seen.kind,
                "Day": seen.happens_on,
                "Last day for it": seen.legal_last_day,
                "Late": seen.is_late,
                "Owner": f"{seen.owner_name}, {seen.owner_address}",
                "New address": seen.new_address,
                "Leaves the city": seen.leaves_city,
                "New owner": seen.new_owner_name,
                "New owner's address": seen.new_owner_address,
                "New owner's telephone": seen.new_owner_phone,
                "New owner was told": seen.new_owner_was_told,
                "Told": seen.told,
                "Signed": seen.signed_name,
                "Affidavit asked": seen.affidavit_asked_at,
                "Seen by": seen.seen_by,
            }
        )


@click.group()
def hearing() -> None:
    """Requests for a hearing."""


@hearing.command("list")
def list_hearings() -> None:
    """List the requests without an outcome, the one to be held first at the top."""
    with at_the_desk() as desk:
        rows = [
            [
                short(one.id),
                one.reference,
                plain(one.asked_at),
                "late" if one.is_late else "",
                plain(one.hold_by),
                plain(one.scheduled_at),
                plain(one.decide_by),
                "" if one.designation_id else "match it",
            ]
            for one in hearings_open(desk.session)
        ]
    heads = ["id", "reference", "asked", "", "hold by", "set for", "decide by", ""]
    print_rows(heads, rows, none="No hearing is open.")


@hearing.command("show")
@beginning_argument
def show_hearing(beginning: str) -> None:
    """Show one request."""
    with at_the_desk() as desk:
        found = desk.session.get_one(HearingRequest, desk.key(HearingRequest.id, beginning))
        print_facts(
            {
                "Request": found.reference,
                "Asked": found.asked_at,
                "About": found.kind,
                "Also an earlier one": found.about_earlier,
                "Dog": found.dog,
                "Date on the notice": found.noticed_on,
                "Received": found.received_on,
                "Why": found.grounds,
                "Interpreter": found.interpreter,
                "Needs": found.access_needs,
                "Name": found.name,
                "Phone": found.phone,
                "E-mail": found.email,
                "Address": found.address,
                "Signed": found.signed_name,
                "Set for": found.scheduled_at,
                "Where": found.place,
                "Heard by": found.heard_by,
                "Held": found.held_on,
                "Outcome": found.outcome,
                "Decision received": found.decision_received_on,
            }
        )


@hearing.command("match")
@beginning_argument
@click.argument("designation_beginning", metavar="DESIGNATION")
@officer_option
def match(beginning: str, designation_beginning: str, officer: str) -> None:
    """Say which designation a request is about."""
    with at_the_desk() as desk:
        matched = match_hearing(
            desk.session,
            request_id=desk.key(HearingRequest.id, beginning),
            designation_id=desk.key(DangerousDesignation.id, designation_beginning),
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"{matched.reference} is matched.")


@hearing.command("set")
@beginning_argument
@at_option
@click.option("--place", required=True, help="Where.")
@click.option("--heard-by", required=True, help="Who hears it.")
@officer_option
def set_hearing(beginning: str, at: datetime, place: str, heard_by: str, officer: str) -> None:
    """Set a hearing; whoever asked is told."""
    with at_the_desk() as desk:
        found = schedule_hearing(
            desk.session,
            request_id=desk.key(HearingRequest.id, beginning),
            at=at.replace(tzinfo=desk.city.time_zone),
            place=place,
            heard_by=heard_by,
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"{found.reference} is set.")


@hearing.command()
@beginning_argument
@on_option
@officer_option
def held(beginning: str, day: date, officer: str) -> None:
    """It was held: ten days to decide."""
    with at_the_desk() as desk:
        found = hold_hearing(
            desk.session,
            request_id=desk.key(HearingRequest.id, beginning),
            held_on=day,
            officer=officer,
            city=desk.city,
            clock=desk.clock,
        )
    click.echo(f"Decide by {plain(found.decide_by)}.")


@hearing.command()
@beginning_argument
@click.argument("outcome", type=OneOf(HearingOutcome))
@on_option
@officer_option
def decide(beginning: str, outcome: HearingOutcome, day: date, officer: str) -> None:
    """Write down the decision. It goes to the owner by hand or registered mail."""
    with at_the_desk() as desk:
        found = decide_hearing(
            desk.session,
            request_id=desk.key(HearingRequest.id, beginning),
            outcome=outcome,
            decided_on=day,
            officer=officer,
            clock=desk.clock,
        )
    click.echo(f"{found.reference}: {outcome.replace('_', ' ')}.")


@hearing.command()
@beginning_argument
@on_option
@officer_option
def received(beginning: str, day: date, officer: str) -> None:
    """The owner received the decision: fourteen days to comply."""
    with at_the_desk() as desk:
        found = note_decision_received(
            desk.session,
            request_id=desk.key(HearingRequest.id, beginning),
            received_on=day,
            officer=officer,
            clock=desk.clock,
        )
    click.echo(f"{found.reference}: received {plain(found.decision_received_on)}.")
