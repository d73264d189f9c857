"""The shared schema as a picture: each table a box with the rows it points at, a line to each.

Tables stand to the right of those they point at. The portal's own tables are left out: other software leaves them
alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from portal.schema.base import PORTAL, Privacy
from portal.schema.contract import CLASS_WORDS, VERSION
from portal.schema.described import DescribedTable, described

NARROWEST, LETTER, GAP, ACROSS = 150, 6.9, 18, 110
HEAD, LINE, FOOT = 24, 16, 20
TOP, MARGIN = 96, 24
ROUNDS = 12
FILL = {Privacy.PUBLIC: "#1b6e45", Privacy.PRIVATE: "#1f4e79", Privacy.CONFIDENTIAL: "#8a1f2b"}
# Lines have the color of the table they lead to, so that one can be followed among many.
LINES = ("#1f4e79", "#8a5a00", "#1b6e45", "#8a1f2b", "#5b3a8e", "#00727a", "#a03c78", "#4a5a1a")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1a1a1a}.head{font-weight:600;fill:#fff}.title{font-size:20px}"
    ".rest{fill:#595959}path{fill:none;stroke-width:1.3;opacity:.75}rect{stroke:#8c8c8c}"
)


@dataclass
class Box:
    """A table and where it stands."""

    table: DescribedTable
    layer: int
    x: int = MARGIN
    y: float = 0
    width: int = NARROWEST

    @property
    def points_at(self) -> list[tuple[str, str]]:
        """Column and table, in the order of the columns."""
        return [(column.name, table) for column in self.table.columns for table in column.points_at]

    @property
    def height(self) -> int:
        return HEAD + LINE * len(self.points_at) + FOOT

    @property
    def said(self) -> list[str]:
        """Its foreign keys as they are written; of the portal's own tables with their schema."""
        return [f"{column} → {other.removeprefix('animal_control.')}" for column, other in self.points_at]

    def line_y(self, number: int) -> float:
        return self.y + HEAD + LINE * number + LINE / 2


def contract_svg() -> str:
    """The whole picture; it needs nothing but itself."""
    boxes = _boxes([table for table in described() if table.schema != PORTAL])
    layers = [[box for box in boxes.values() if box.layer == layer] for layer in range(_last(boxes) + 1)]
    _spread(layers)
    _stack(layers, boxes)
    width = max(box.x + box.width for box in boxes.values()) + MARGIN
    height = max(box.y + box.height for box in boxes.values()) + MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
            f'height="{height:.0f}" role="img" aria-labelledby="title what">',
            f'<title id="title">The shared schema, version {VERSION}</title>',
            '<desc id="what">Shared tables, and which rows they point at; docs/schema.md says it in words.</desc>',
            f"<style>{STYLE}</style>",
            f'<rect width="{width}" height="{height:.0f}" fill="#fff" stroke="none"/>',
            *_legend(),
            *(line for box in boxes.values() for line in _lines(box, boxes)),
            *(line for box in boxes.values() for line in _box(box)),
            "</svg>\n",
        ]
    )


def _boxes(tables: list[DescribedTable]) -> dict[str, Box]:
    """Each table one layer to the right of the rightmost that it points at."""
    named = {table.fullname: table for table in tables}
    layers: dict[str, int] = {}

    def layer(name: str, *, seen: tuple[str, ...] = ()) -> int:
        if name not in layers:
            others = [
                other
                for column in named[name].columns
                for other in column.points_at
                if other in named and other not in (*seen, name)
            ]
            layers[name] = max((layer(other, seen=(*seen, name)) + 1 for other in others), default=0)
        return layers[name]

    return {name: Box(table, layer(name)) for name, table in named.items()}


def _spread(layers: list[list[Box]]) -> None:
    """Put the layers side by side, each as wide as its longest line."""
    x = MARGIN
    for layer in layers:
        longest = max(len(line) for box in layer for line in (*box.said, box.table.name))
        for box in layer:
            box.x, box.width = x, max(NARROWEST, round(longest * LETTER) + 16)
        x += layer[0].width + ACROSS


def _stack(layers: list[list[Box]], boxes: dict[str, Box]) -> None:
    """Put each layer's boxes one above the other, near what they point at and what points at them."""
    near = _neighbors(boxes)
    for _ in range(ROUNDS):
        for layer in layers:
            layer.sort(key=lambda box: _middle_of(near[box.table.fullname], boxes))
            y = float(TOP)
            for box in layer:
                box.y = y
                y += box.height + GAP
    tallest = max(_end(layer) for layer in layers)
    for layer in layers:
        down = (tallest - _end(layer)) / 2
        for box in layer:
            box.y += down


def _last(boxes: dict[str, Box]) -> int:
    return max(box.layer for box in boxes.values())


def _end(layer: list[Box]) -> float:
    return layer[-1].y + layer[-1].height


def _neighbors(boxes: dict[str, Box]) -> dict[str, list[str]]:
    near: dict[str, list[str]] = {name: [] for name in boxes}
    for name, box in boxes.items():
        for _, other in box.points_at:
            if other in boxes and other != name:
                near[name].append(other)
                near[other].append(name)
    return near


def _middle_of(names: list[str], boxes: dict[str, Box]) -> float:
    """Where it would best stand; one that is tied to nothing goes to the end."""
    if not names:
        return float("inf")
    return sum(boxes[name].y + boxes[name].height / 2 for name in names) / len(names)


def _legend() -> Iterator[str]:
    yield f'<text class="title" x="{MARGIN}" y="38">The shared schema, version {VERSION}</text>'
    x = MARGIN
    for privacy, words in CLASS_WORDS.items():
        said = f"{privacy.value}: {words}"
        yield f'<rect x="{x}" y="54" width="14" height="14" fill="{FILL[privacy]}"/>'
        yield f'<text x="{x + 20}" y="66">{escape(said)}</text>'
        x += 60 + 6 * len(said)


def _lines(box: Box, boxes: dict[str, Box]) -> Iterator[str]:
    for number, (column, name) in enumerate(box.points_at):
        other = boxes.get(name)
        if other is None or other is box:
            continue
        color = LINES[sum(name.encode()) % len(LINES)]
        start, end = (box.x, box.line_y(number)), (other.x + other.width, other.y + HEAD / 2)
        bend = max(60.0, (start[0] - end[0]) / 2.5)
        yield (
            f'<path stroke="{color}" d="M{start[0]} {start[1]:.0f}C{start[0] - bend:.0f} {start[1]:.0f} '
            f'{end[0] + bend:.0f} {end[1]:.0f} {end[0]} {end[1]:.0f}"><title>'
            f"{box.table.name}.{column} → {other.table.name}</title></path>"
        )


def _box(box: Box) -> Iterator[str]:
    table, x, y = box.table, box.x, box.y
    yield f'<rect x="{x}" y="{y:.0f}" width="{box.width}" height="{box.height}" fill="#fff"/>'
    yield f'<rect x="{x}" y="{y:.0f}" width="{box.width}" height="{HEAD}" fill="{FILL[table.privacy]}"/>'
    yield f'<text class="head" x="{x + 8}" y="{y + 16:.0f}">{table.name}<title>{escape(table.meaning)}</title></text>'
    for number, said in enumerate(box.said):
        yield f'<text x="{x + 8}" y="{box.line_y(number) + 4:.0f}">{said}</text>'
    rest = len(table.columns) - len(box.points_at)
    words = "column" if rest == 1 else "columns"
    more = f"and {rest} {words}" if box.points_at else f"{rest} {words}"
    yield f'<text class="rest" x="{x + 8}" y="{y + box.height - 6:.0f}">{more}</text>'
