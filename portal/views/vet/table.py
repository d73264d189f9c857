"""A whole table of certificates: good rows are filed, wrong ones come back with what to correct."""

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

from flask import Response, abort, make_response, session
from flask.typing import ResponseReturnValue

from portal.forms.clinic_cells import LABELS, CellProblem, read_cells
from portal.forms.clinic_files import TableForm
from portal.forms.clinic_table import (
    LARGEST_BYTES,
    WHAT_TO_CORRECT,
    Table,
    TableRow,
    UnreadableTable,
    read_table,
    template,
    written,
)
from portal.gateways.rate_limits import CLINIC_TABLES
from portal.gateways.storage.store import FileMissing, new_key
from portal.services.clinics.file_for_clinic import STATEMENT, filing_refusals
from portal.services.clinics.file_table import file_table
from portal.services.clinics.filing_answers import FilingAnswers
from portal.services.clinics.filings_of_clinic import remembered
from portal.views.access import Access, open_to
from portal.views.answers import page
from portal.views.clinic_identity import clinic
from portal.views.vet.blueprint import blueprint
from portal.views.work import gateways, reading, transaction

BATCH_ROWS = 200
MOST_SHOWN = 100
WRONG_ROWS = "wrong_rows"
TOO_MANY_CELLS = CellProblem("", "The row has more cells than the first line. Put text with commas in quotes")
CSV = "text/csv; charset=utf-8"


@dataclass
class Report:
    """What became of a table."""

    filed: int = 0
    known: int = 0
    wrong: list[tuple[TableRow, list[CellProblem]]] = field(default_factory=list)

    @property
    def shown(self) -> list[tuple[int, CellProblem]]:
        """Line and problem of each wrong cell, as many as a page can show."""
        return [(row.line, problem) for row, problems in self.wrong for problem in problems][:MOST_SHOWN]

    @property
    def problems(self) -> int:
        return sum(len(problems) for _, problems in self.wrong)


@blueprint.route("/table", methods=["GET", "POST"])
@open_to(Access.CLINIC)
def table() -> ResponseReturnValue:
    """Send the table; the report comes on the same page."""
    form, report = TableForm(), None
    if form.validate_on_submit():
        gateways().limits.take(CLINIC_TABLES, str(clinic().clinic_id))
        report = _file(form)
    known = remembered(reading(), clinic_id=clinic().clinic_id)
    return page("vet/table.html", form=form, report=report, known=known, statement=STATEMENT, columns=LABELS.values())


@blueprint.get("/table/template.csv")
@open_to(Access.CLINIC)
def table_template() -> ResponseReturnValue:
    """The empty table with an example."""
    return _download(template(), "rabies-certificates.csv")


@blueprint.get("/table/to-correct.csv")
@open_to(Access.CLINIC)
def table_to_correct() -> ResponseReturnValue:
    """The wrong rows of the table this browser sent last; the file is swept after a day or so."""
    kept = session.get(WRONG_ROWS, {})
    if kept.get("clinic") != str(clinic().clinic_id):
        abort(404)
    try:
        with gateways().storage.open(kept["key"]) as content:
            return _download(content.read(), "to-correct.csv")
    except FileMissing:
        abort(404)


def _file(form: TableForm) -> Report | None:
    """File the good rows, a batch in a transaction; keep the wrong ones to be fetched."""
    with form.file.data.stream as stream:
        content = stream.read(LARGEST_BYTES + 1)
    if len(content) > LARGEST_BYTES:
        form.refuse("file", f"A table may have {LARGEST_BYTES // 1_000_000} MB. Send it in two parts")
        return None
    try:
        sent = read_table(content)
    except UnreadableTable as unreadable:
        form.refuse("file", str(unreadable))
        return None
    report, parts = Report(), gateways()
    for batch in _in_batches(_good(sent, report, signed_by=form.attested_name.data)):
        with transaction() as db:
            filed = file_table(
                db, clinic(), batch, signed_by=form.attested_name.data, city=parts.city, clock=parts.clock
            )
        report.filed += filed
        report.known += len(batch) - filed
    session.pop(WRONG_ROWS, None)
    if report.wrong:
        _keep_wrong(sent, report)
    if not sent.rows:
        form.refuse("file", "The table has no rows below its first line")
    elif not report.filed and not report.known:
        form.refuse("file", "No row could be filed. The reasons stand below")
    return report


def _good(sent: Table, report: Report, *, signed_by: str) -> Iterator[FilingAnswers]:
    """The rows that may be filed; the others are noted in the report."""
    for row in sent.rows:
        answers, unreadable = read_cells(sent.answers(row), signed_by=signed_by)
        problems = [*unreadable, *_refused(answers, {problem.column for problem in unreadable})]
        if len(row.cells) > len(sent.head):
            problems = [TOO_MANY_CELLS]
        if problems:
            report.wrong.append((row, problems))
        else:
            yield answers


def _refused(answers: FilingAnswers, told: Collection[str]) -> list[CellProblem]:
    """What is missing or cannot be, in the columns about which nothing is told yet."""
    refusals = filing_refusals(answers, on=gateways().clock.today())
    problems = [CellProblem(LABELS.get(refusal.field or "", ""), refusal.sentence) for refusal in refusals]
    return [problem for problem in problems if problem.column not in told]


def _in_batches(rows: Iterator[FilingAnswers]) -> Iterator[list[FilingAnswers]]:
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch


def _keep_wrong(sent: Table, report: Report) -> None:
    """No row of the database mentions the file, so that the nightly sweep lets it go."""
    head = [cell for cell in sent.head if cell != WHAT_TO_CORRECT]
    rows = [_to_correct(sent, row, problems) for row, problems in report.wrong]
    key = new_key("tables")
    gateways().storage.put(key, io.BytesIO(written([*head, WHAT_TO_CORRECT], rows, separator=sent.separator)))
    session[WRONG_ROWS] = {"clinic": str(clinic().clinic_id), "key": key}


def _to_correct(sent: Table, row: TableRow, problems: list[CellProblem]) -> list[str]:
    """The row as it came, with what to correct in a column of its own."""
    told = sent.head.index(WHAT_TO_CORRECT) if WHAT_TO_CORRECT in sent.head else None
    cells = [*row.cells, *[""] * (len(sent.head) - len(row.cells))]
    kept = [cell for place, cell in enumerate(cells) if place != told]
    return [*kept, "; ".join(f"{one.column}: {one.sentence}".removeprefix(": ") for one in problems)]


def _download(content: bytes, name: str) -> Response:
    response = make_response(content)
    response.headers["Content-Type"] = CSV
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
