"""`portal report`: an officer looks at reports, asks, says how they stand, closes them, reads who reported."""

from dataclasses import asdict
from uuid import UUID

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.cli.officer.desk import Desk, at_the_desk, named, plain, print_facts, print_rows, short
from portal.cli.officer.typed import OneOf, officer_option
from portal.ordinance.barking import Episode, read_log, shown, spoken_length
from portal.ordinance.nuisances import Nuisance
from portal.schema.report_merges import MergeDeed
from portal.schema.reports import Report
from portal.services.matching.missing_for_report import missing_for_report
from portal.services.reports.handle_report import (
    ReportView,
    ask_reporter,
    close_report,
    identity_reads,
    look_into,
    read_identity,
    report_view,
    reports_open,
)
from portal.services.reports.merge_reports import merge_report, unmerge_report
from portal.services.secrets import read_spoken_code

beginning_argument = click.argument("beginning", metavar="REFERENCE")


@click.group()
def report() -> None:
    """What people report about animals. A report is named by its reference, or the unique beginning of its id.

    Whoever keeps the animal is never told that there is a report, nor who made it (13.44, 13.82).
    """


@report.command("list")
@click.option("--kind", type=OneOf(Nuisance), help="Only this kind.")
def list_reports(kind: Nuisance | None) -> None:
    """List the open ones: bites first, then the oldest that waits for an officer."""
    with at_the_desk() as desk:
        found = reports_open(desk.session, kind=kind)
        rows = [
            [
                one.reference,
                plain(one.created_at),
                plain(one.kind),
                plain(one.state),
                plain(one.place_text),
                "named" if one.has_identity else "no name",
                "look twice" if one.is_suspicious else "",
                "merged" if one.merged_into_id else "",
            ]
            for one in found
        ]
    print_rows(["reference", "filed", "what", "state", "where", "", "", ""], rows, none="No report is open.")


@report.command()
@beginning_argument
def show(beginning: str) -> None:
    """Show one report with its log, its files and others about the same place. Not who made it."""
    with at_the_desk() as desk:
        view = report_view(desk.session, _key(desk, beginning))
        print_facts(_facts(view))
        _print_log(desk, view)
        for update in view.updates:
            click.echo(f"  {plain(update.created_at)}  {update.by.value}, {update.kind.value}: {plain(update.text)}")
            for name, answer in named(update.details).items():
                if answer not in (None, ""):
                    click.echo(f"    {name}: {plain(answer)}")
        for file in view.files:
            click.echo(f"  {file.kind.value} {plain(file.original_name)}: {file.key}")
        for one in view.merges:
            deed = "merged into" if one.deed is MergeDeed.MERGED else "taken apart from"
            what = f"{one.report.reference} {deed} {one.into.reference}"
            click.echo(f"  {plain(one.at)}  {what} by {one.done_by}: {plain(one.why)}")
        for other in view.linked:
            same = "same kind" if other.is_same_kind else plain(other.report.kind)
            joined = ", joined household" if other.is_joined else ""
            click.echo(f"  {other.report.reference}, {plain(other.report.created_at)}: {same}, same place{joined}")
            for both in other.heard_together:
                click.echo(f"    both heard {plain(both.started_at)} for {spoken_length(both.length)}")
        for notice, how in missing_for_report(desk.session, view.report, city=desk.city):
            click.echo(f"  may be {plain(notice.name)} of notice {notice.reference}: {how.explained}")


@report.command()
@beginning_argument
@click.option("--question", required=True, help="What the reporter reads.")
@officer_option
def ask(beginning: str, question: str, officer: str) -> None:
    """Ask the reporter something. They are written to, if a proved mailbox is known; you don't learn which."""
    with at_the_desk() as desk:
        report_id = _key(desk, beginning)
        found = ask_reporter(desk.session, report_id=report_id, question=question, officer=officer, clock=desk.clock)
    click.echo(f"{found.reference} waits for its reporter.")


@report.command()
@beginning_argument
@click.option("--words", required=True, help="What the reporter reads.")
@officer_option
def status(beginning: str, words: str, officer: str) -> None:
    """Say how it stands."""
    with at_the_desk() as desk:
        report_id = _key(desk, beginning)
        found = look_into(desk.session, report_id=report_id, words=words, officer=officer, clock=desk.clock)
    click.echo(f"{found.reference} is being looked into.")


@report.command()
@beginning_argument
@click.option("--reason", required=True, help="What the reporter reads.")
@officer_option
def close(beginning: str, reason: str, officer: str) -> None:
    """Close it with a reason. The reporter can open it again within 30 days."""
    with at_the_desk() as desk:
        report_id = _key(desk, beginning)
        found = close_report(desk.session, report_id=report_id, reason=reason, officer=officer, clock=desk.clock)
    click.echo(f"{found.reference} is closed.")


@report.command()
@beginning_argument
@click.option("--into", required=True, metavar="REFERENCE", help="The report you go on with.")
@click.option("--why", required=True, help="Why. Their reporters do not read it.")
@officer_option
def merge(beginning: str, into: str, why: str, officer: str) -> None:
    """Go on with another report for this one too. Each reporter keeps their own page; none is told of another."""
    with at_the_desk() as desk:
        report_id, into_id = _key(desk, beginning), _key(desk, into)
        found, other = merge_report(
            desk.session, report_id=report_id, into_id=into_id, why=why, officer=officer, clock=desk.clock
        )
    click.echo(f"{found.reference} goes under {other.reference}.")


@report.command()
@beginning_argument
@click.option("--why", required=True, help="Why. Their reporters do not read it.")
@officer_option
def unmerge(beginning: str, why: str, officer: str) -> None:
    """Take a merged report apart again: it waits as it did before."""
    with at_the_desk() as desk:
        report_id = _key(desk, beginning)
        found, _ = unmerge_report(desk.session, report_id=report_id, why=why, officer=officer, clock=desk.clock)
    click.echo(f"{found.reference} is a report of its own again.")


@report.command()
@beginning_argument
@click.option("--why", required=True, help="Why you need to know. It is written down with your name (13.055).")
@officer_option
def identity(beginning: str, why: str, officer: str) -> None:
    """Show who made a report. Each reading is written down."""
    with at_the_desk() as desk:
        report_id = _key(desk, beginning)
        found = read_identity(desk.session, report_id=report_id, why=why, officer=officer, clock=desk.clock)
        print_facts(named(asdict(found)))
        for read_by, reason, at in identity_reads(desk.session, report_id=report_id):
            click.echo(f"  read {plain(at)} by {plain(read_by)}: {plain(reason)}")


def _key(desk: Desk, beginning: str) -> UUID:
    return _of_reference(desk.session, beginning) or desk.key(Report.id, beginning)


def _of_reference(session: Session, typed: str) -> UUID | None:
    return session.scalar(select(Report.id).where(Report.reference == read_spoken_code(typed)))


def _print_log(desk: Desk, view: ReportView) -> None:
    if view.report.kind is not Nuisance.BARKING:
        return
    log = read_log((Episode(one.started_at, one.ended_at) for one in view.episodes), zone=desk.city.time_zone)
    click.echo(f"{shown(log).sentence}.")
    for one in view.episodes:
        late = ", entered later" if one.is_backdated else ""
        length = spoken_length(one.ended_at - one.started_at)
        click.echo(f"  {plain(one.started_at)} for {length} ({one.source.value}{late})")


def _facts(view: ReportView) -> dict[str, object]:
    found = view.report
    return {
        "Report": found.reference,
        "Id": f"{short(found.id)} ({found.id})",
        "What": found.kind,
        "State": found.state,
        "Reason of closing": found.closed_reason,
        "Filed": found.created_at,
        "Happened": found.happened_at,
        "When, as typed": found.happened_text,
        "Where": found.place_text,
        "May be outside the city": found.is_outside_city,
        "Animal": found.animal_description,
        "Whose it may be": found.whose_text,
        "Going on when reported": found.is_going_on,
        "Happened before": found.is_again,
        "Told": found.narrative,
        **named(found.details),
        "Reporter gave a name": found.has_identity,
        "Look twice": found.is_suspicious,
    }
