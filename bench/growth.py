"""How the pages that look things up answer among many dogs, beside few: the same household in two databases."""

from statistics import median

from bench.load import run
from bench.report import Figure, Report, percentile, table
from bench.stage import SECRET_KEY, Stage
from bench.throughput import measured_pages
from bench.visitor import Asked, signed_in_cookie

MOST = 1.3


def measure(stage: Stage, report: Report, *, dogs: int, rounds: int, seconds: float) -> None:
    large = stage.larger_database(dogs)
    cookie = signed_in_cookie(stage.household.token, secret_key=SECRET_KEY)
    pages = [
        Asked("my dogs", "GET", "/dogs", cookie=cookie),
        Asked("a dog", "GET", f"/dogs/{stage.household.animal_id}", cookie=cookie),
    ]
    rows = []
    with stage.serving() as few, stage.serving(database=large) as many:
        pages += [page for page in measured_pages(stage, few) if page.name == "register step"]
        for page in pages:
            taken: dict[int, list[float]] = {few.port: [], many.port: []}
            for server in (few, many):
                run(server.port, page, seconds=0.5)
            for _ in range(rounds):
                for server in (few, many):
                    load = run(server.port, page, seconds=seconds, connections=1)
                    taken[server.port].append(percentile(load.latencies, 0.95))
            small, big = (1000 * median(taken[server.port]) for server in (few, many))
            rows.append((page.name, f"{small:.1f}", f"{big:.1f}", f"{big / small:.2f}"))
            report.add(Figure(f"{page.name}: p95 at {dogs} dogs, of {stage.dogs}", big / small, "x", at_most=MOST))
    table(f"Growth, p95 in ms: {stage.dogs} and {dogs} dogs", ("page", "few", "many", "ratio"), rows)
