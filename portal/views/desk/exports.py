"""Files to take away, and the report of a year."""

from collections.abc import Iterator

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue

from portal.city import City
from portal.forms.choices import choice
from portal.forms.desk_exports import ExportForm, YearForm
from portal.services.desk.csv_files import Shape, csv_lines
from portal.services.desk.exports import EXPORTS, Export, note_export
from portal.services.desk.yearly_report import REPORT, yearly_report
from portal.views.answers import page
from portal.views.desk.access import Desk, open_to
from portal.views.desk.desk_words import may_see
from portal.views.desk.identity import member
from portal.views.desk.prefix import PREFIX
from portal.views.work import gateways, reading, reading_while_sending, transaction

blueprint = Blueprint("exports", __name__, url_prefix=f"{PREFIX}/exports")

PIECE = 64 << 10


@blueprint.route("", methods=["GET", "POST"])
@open_to(Desk.CLERK)
def show() -> ResponseReturnValue:
    """Choose a file; pressing the button downloads it."""
    offered = {one.name: one for one in (*EXPORTS, REPORT) if may_see(member(), one.role)}
    today = gateways().clock.today()
    form = ExportForm(today=today, data={"year": str(today.year)})
    form.what.choices = [choice(one.name, one.heading) for one in offered.values()]
    if form.validate_on_submit():
        export, year = offered[form.what.data], int(form.year.data)
        with transaction() as db:
            note_export(db, export, year=year, member=member())
        return _file(export, year, Shape(form.shape.data))
    return page("desk/exports.html", form=form, year=today.year)


@blueprint.get("/year")
@open_to(Desk.CLERK)
def year() -> ResponseReturnValue:
    """Licenses and receipts of a year (90.04(B)(7))."""
    today = gateways().clock.today()
    form = YearForm(formdata=request.args if "year" in request.args else None, today=today)
    if "year" not in request.args:
        form.year.data = str(today.year)
    is_understood = "year" not in request.args or form.validate()
    report = yearly_report(reading(), int(form.year.data), city=gateways().city) if is_understood else None
    answer = render_template("desk/yearly_report.html", form=form, report=report)
    return answer, 200 if is_understood else 422


def _file(export: Export, year: int, shape: Shape) -> Response:
    """Sent as it is read, in pieces: a million rows need no more memory than ten, and the first leave at once.

    What breaks at the first piece is an error page. What breaks later ends the connection before the last piece, and
    the browser says that the download failed: no file is shorter than it should be and looks whole.
    """
    pieces = _pieces(export, year, shape, gateways().city)
    first = next(pieces)
    name = f"{export.name}-{year}{'-raw' if shape is Shape.MACHINES else ''}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(_from_the_first(first, pieces), mimetype="text/csv", headers=headers)


def _from_the_first(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from pieces


def _pieces(export: Export, year: int, shape: Shape, city: City) -> Iterator[bytes]:
    piece = bytearray()
    with reading_while_sending() as session:
        for line in csv_lines(export.heads, export.rows(session, year, city), shape):
            piece += line.encode()
            if len(piece) >= PIECE:
                yield bytes(piece)
                piece.clear()
    yield bytes(piece)
