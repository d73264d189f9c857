"""Where the lines of a certificate stand: straightened as if it had been laid flat, and who is beside or below whom.

A photo is turned and seen at an angle, so its lines of text slope, each a little differently. Their slopes together
tell how the page lies; with that taken out, what belongs to a label is on its right or right below it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import exp
from statistics import fmean

from portal.gateways.reading.reader import Line, Point

# Lines this many times as wide as high tell a slope; with fewer than six, one slope has to do for the page.
TELLING_SHAPE = 3.0
FEWEST_FOR_A_PLANE = 6
# In heights of a line: how far apart two pieces of one line are, two lines of one row, a label and what is below it.
SAME_LINE = 0.6
SAME_ROW = 0.6
NEXT_BELOW = 3.2


@dataclass(frozen=True)
class Placed:
    """A piece of text at its place on the straightened page; `middle` is half way between its upper and lower edge."""

    text: str
    confidence: float
    page: int
    left: float
    right: float
    middle: float
    height: float

    @property
    def width(self) -> float:
        return self.right - self.left


@dataclass(frozen=True)
class Strip:
    """A line of text as a strip between the middles of its two ends."""

    line: Line
    start: Point
    end: Point
    height: float

    @property
    def center(self) -> Point:
        return fmean((self.start[0], self.end[0])), fmean((self.start[1], self.end[1]))

    @property
    def width(self) -> float:
        return max(self.end[0] - self.start[0], 1e-6)

    @property
    def slope(self) -> float:
        return (self.end[1] - self.start[1]) / self.width


def placed_lines(lines: Iterable[Line], *, quarter_turns: int = 0) -> list[Placed]:
    """The lines straightened, in reading order; `quarter_turns` for a photo that lies on its side or upside down."""
    found: list[Placed] = []
    for _page, group in groupby(sorted(lines, key=lambda line: line.page), key=lambda line: line.page):
        strips = [_strip(line, quarter_turns) for line in group if line.text.strip()]
        found.extend(_in_reading_order(_joined(_straightened(strips))))
    return found


def are_on_their_side(lines: Iterable[Line]) -> bool:
    """Whether most of the text runs up or down."""
    runs = [_extent(line, 0) - _extent(line, 1) for line in lines if len(line.text) > 2]
    return sum(run < 0 for run in runs) > len(runs) / 2


def _extent(line: Line, axis: int) -> float:
    places = [corner[axis] for corner in line.corners]
    return max(places) - min(places)


def right_of(label: Placed, placed: Sequence[Placed]) -> Iterator[Placed]:
    """What stands on the label's right in the same row, the nearest first."""
    row = [
        other
        for other in placed
        if other.page == label.page
        and other is not label
        and other.left > label.right - SAME_ROW * label.height
        and abs(other.middle - label.middle) < SAME_ROW * max(label.height, other.height)
    ]
    yield from sorted(row, key=lambda other: other.left)


def below(label: Placed, placed: Sequence[Placed], *, reach: float = NEXT_BELOW) -> Iterator[Placed]:
    """What stands below the label in the same column, the nearest first; `reach` in heights of the label."""
    column = [
        other
        for other in placed
        if other.page == label.page
        and SAME_ROW * label.height < other.middle - label.middle < reach * label.height
        and _shares_column(label, other)
    ]
    yield from sorted(column, key=lambda other: other.middle)


def same_row(one: Placed, other: Placed) -> bool:
    """Whether two pieces stand in one row."""
    return one.page == other.page and abs(one.middle - other.middle) < SAME_ROW * max(one.height, other.height)


def _shares_column(label: Placed, other: Placed) -> bool:
    overlap = min(label.right, other.right) - max(label.left, other.left)
    return overlap > 0.3 * min(label.width, other.width) or abs(label.left - other.left) < label.height


def _strip(line: Line, quarter_turns: int) -> Strip:
    corners = sorted(_turned(corner, quarter_turns) for corner in line.corners)
    (one, two), (three, four) = corners[:2], corners[2:]
    start = (fmean((one[0], two[0])), fmean((one[1], two[1])))
    end = (fmean((three[0], four[0])), fmean((three[1], four[1])))
    height = fmean((abs(one[1] - two[1]), abs(three[1] - four[1])))
    return Strip(line, start, end, max(height, 1e-6))


def _turned(point: Point, quarter_turns: int) -> Point:
    across, down = point
    for _ in range(quarter_turns % 4):
        across, down = -down, across
    return across, down


def _straightened(strips: Sequence[Strip]) -> list[Placed]:
    """Every strip at the height where its row would stand if rows were level.

    Seen at an angle, the slope changes along and down the page: slope = level + along * x + down * y. A row is a curve
    with that slope; each strip is followed along its row to the middle of the page.
    """
    if not strips:
        return []
    across = fmean(strip.center[0] for strip in strips)
    depth = fmean(strip.center[1] for strip in strips)
    level, along, down = _plane_of_slopes(strips, (across, depth))
    placed = []
    for strip in strips:
        x, y = strip.center[0] - across, strip.center[1] - depth
        middle = (y - level * x - along * x * x / 2) * exp(-down * x)
        # Columns lean against the rows by the same angle.
        center = x + level * y
        half = strip.width / 2
        line = strip.line
        placed.append(Placed(line.text, line.confidence, line.page, center - half, center + half, middle, strip.height))
    return placed


def _plane_of_slopes(strips: Sequence[Strip], middle: Point) -> tuple[float, float, float]:
    """The slopes by least squares, long lines counting more; a short line's slope is chance."""
    telling = [strip for strip in strips if strip.width > TELLING_SHAPE * strip.height] or list(strips)
    total = sum(strip.width for strip in telling)
    level = sum(strip.slope * strip.width for strip in telling) / total
    if len(telling) < FEWEST_FOR_A_PLANE:
        return level, 0.0, 0.0
    rows = [
        (1.0, strip.center[0] - middle[0], strip.center[1] - middle[1], strip.slope, strip.width) for strip in telling
    ]
    matrix = [[sum(row[i] * row[j] * row[4] for row in rows) for j in range(3)] for i in range(3)]
    right = [sum(row[i] * row[3] * row[4] for row in rows) for i in range(3)]
    size = fmean(row[1] ** 2 + row[2] ** 2 for row in rows)
    for i in (1, 2):  # leans to no change at all where the lines tell little
        matrix[i][i] += 0.01 * total * size
    return _solved(matrix, right) or (level, 0.0, 0.0)


def _solved(matrix: list[list[float]], right: list[float]) -> tuple[float, float, float] | None:
    """Cramer's rule for three unknowns."""
    whole = _determinant(matrix)
    if abs(whole) < 1e-9:
        return None
    first, second, third = (
        _determinant([[right[i] if j == column else matrix[i][j] for j in range(3)] for i in range(3)]) / whole
        for column in range(3)
    )
    return first, second, third


def _determinant(m: list[list[float]]) -> float:
    return (
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    )


def _joined(placed: Sequence[Placed]) -> list[Placed]:
    """Pieces of one line put together: some PDFs set each word apart."""
    lines: list[Placed] = []
    for piece in sorted(placed, key=lambda piece: piece.left):
        for index, line in enumerate(lines):
            gap = piece.left - line.right
            if same_row(line, piece) and -SAME_LINE * line.height < gap < SAME_LINE * line.height:
                lines[index] = replace(
                    line,
                    text=f"{line.text} {piece.text}",
                    confidence=min(line.confidence, piece.confidence),
                    right=piece.right,
                )
                break
        else:
            lines.append(piece)
    return lines


def _in_reading_order(placed: Sequence[Placed]) -> list[Placed]:
    """Row by row, each from the left."""
    rows: list[list[Placed]] = []
    for piece in sorted(placed, key=lambda piece: piece.middle):
        if rows and same_row(rows[-1][0], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [piece for row in rows for piece in sorted(row, key=lambda piece: piece.left)]
