"""How long and how much memory it takes to open what people send: `python -m bench.pictures`.

Makes its own photos and PDFs of noise and text, the worst to decode. No encoder for HEIC is among the portal's
packages, so HEIC is measured with the sample photo of the tests, or with pillow-heif where somebody has it.
"""

import argparse
import io
import multiprocessing
import random
import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

from portal.gateways.pictures.making import prepare
from portal.gateways.pictures.refusal import UnreadableFile

try:
    from pillow_heif import from_pillow
except ImportError:
    from_pillow = None

SAMPLE = Path(__file__).parents[1] / "tests" / "samples" / "certificate-photo-iphone.heic"


def photo(width: int, height: int, mode: str = "RGB") -> Image.Image:
    """A page of text on a noisy ground."""
    noise = random.Random(90).randbytes(width // 4 * (height // 4))  # noqa: S311 - the same noise in every run
    picture = Image.frombytes("L", (width // 4, height // 4), noise).resize((width, height)).convert(mode)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((width // 4, height // 8, width * 3 // 4, height * 7 // 8), fill="white")
    for line in range(height // 6, height * 5 // 6, 60):
        draw.text((width // 3, line), "RABIES VACCINATION CERTIFICATE  given 2025-06-12", fill="black", font_size=40)
    return picture


def saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    target = io.BytesIO()
    picture.save(target, kind, **options)
    return target.getvalue()


def heic(width: int, height: int) -> bytes:
    target = io.BytesIO()
    from_pillow(photo(width, height)).save(target, quality=80)
    return target.getvalue()


def pages(count: int) -> bytes:
    sheets = [photo(1654, 2338) for _ in range(count)]
    return saved(sheets[0], "PDF", save_all=True, append_images=sheets[1:])


CASES: dict[str, Callable[[], bytes]] = {
    "start-up alone (PNG of one pixel)": lambda: saved(Image.new("RGB", (1, 1)), "PNG"),
    "JPEG 2 MP, shrunk on the phone": lambda: saved(photo(2048, 1536), "JPEG", quality=80),
    "JPEG 12 MP": lambda: saved(photo(4032, 3024), "JPEG", quality=85),
    "JPEG 12 MP progressive": lambda: saved(photo(4032, 3024), "JPEG", quality=85, progressive=True),
    "JPEG 48 MP": lambda: saved(photo(8064, 6048), "JPEG", quality=80),
    "PNG 12 MP": lambda: saved(photo(4032, 3024), "PNG", compress_level=1),
    "PNG 64 MP, transparent, blank": lambda: saved(Image.new("RGBA", (9248, 6936)), "PNG"),
    "WebP 12 MP": lambda: saved(photo(4032, 3024), "WEBP", method=0),
    "HEIC 12 MP, the sample": SAMPLE.read_bytes,
    "PDF of 1 scanned page": lambda: pages(1),
    "PDF of 10 scanned pages": lambda: pages(10),
}
if from_pillow:
    CASES["HEIC 12 MP, noisy"] = lambda: heic(4032, 3024)
    CASES["HEIC 48 MP, noisy"] = lambda: heic(8064, 6048)


def measure(content: bytes, times: int) -> tuple[str, float, float, int]:
    """Outcome, median seconds on the wall and of one core, and the most memory the child held, in MB."""
    walls, cores, outcome = [], [], ""
    for _ in range(times):
        wall, core = time.perf_counter(), children_seconds()
        try:
            prepared = prepare(io.BytesIO(content))
            outcome = f"{len(prepared.pages)} x {len(prepared.pages[0].jpeg) // 1000} kB"
        except UnreadableFile as refused:
            outcome = refused.reason
        walls.append(time.perf_counter() - wall)
        cores.append(children_seconds() - core)
    megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000
    return outcome, statistics.median(walls), statistics.median(cores), megabytes


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args().times
    print(f"{'what':36} {'sent':>8} {'wall':>8} {'core':>8} {'memory':>8}  shown")
    for name, make in CASES.items():
        content = make()
        # The most memory of all children is kept for ever, so each case is measured by a process of its own.
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            outcome, wall, core, megabytes = pool.apply(measure, (content, times))
        print(f"{name:36} {len(content) // 1000:5d} kB {wall:6.2f} s {core:6.2f} s {megabytes:5d} MB  {outcome}")


if __name__ == "__main__":
    main()
