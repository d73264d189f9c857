"""clamd finds what it knows, in any file; the same questions to Debian's own and to the double the other tests use."""

import io
import os
import re
import socket

import pytest

from portal.gateways.scanning import ClamdScanner, ScannerAway, scanner_from
from tests.support.clamd import NAME, VIRUS


@pytest.fixture(params=["double", "a socket of Debian's clamd", "its port"])
def clamd(request):
    if request.param == "double":
        return scanner_from(request.getfixturevalue("scanner").url)
    folder = request.getfixturevalue("clamd_folder")
    if "socket" in request.param:
        return scanner_from(f"unix:{folder}/clamd.ctl")
    port = re.search(r"TCPSocket (\d+)", (folder / "clamd.conf").read_text())[1]
    return scanner_from(f"tcp://127.0.0.1:{port}")


@pytest.mark.parametrize("content", [b"", b"a film", os.urandom(1_000_000)], ids=["empty", "small", "a megabyte"])
def test_a_clean_file_is_clean(clamd, content):
    file = io.BytesIO(content)
    file.seek(0, 2)
    assert clamd.scan(file) is None
    assert file.tell() == 0, "it is left rewound"


@pytest.mark.parametrize("before", [b"", b"%PDF-1.7 ", os.urandom(300_000)], ids=["alone", "in a PDF", "far behind"])
def test_a_virus_is_found_wherever_it_stands(clamd, before):
    assert NAME in (clamd.scan(io.BytesIO(before + VIRUS + b" and more")) or "")


def test_it_is_there(clamd):
    assert clamd.ping()


def test_a_file_that_is_too_large_for_it_has_no_verdict(clamd_folder):
    with pytest.raises(ScannerAway, match="size limit"):
        ClamdScanner(f"{clamd_folder}/clamd.ctl").scan(io.BytesIO(b"x" * 3_000_000))


@pytest.mark.parametrize("said", [b"stream: Can't allocate memory ERROR", b"UNKNOWN COMMAND", b""])
def test_whatever_else_it_says_is_no_verdict(scanner, said):
    scanner.says = said
    with pytest.raises(ScannerAway):
        scanner_from(scanner.url).scan(io.BytesIO(b"x"))


def test_one_that_is_away_or_hangs_is_not_waited_for_without_end(scanner, tmp_path):
    scanner.hangs = True
    host, port = scanner.url.removeprefix("tcp://").split(":")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        unused = probe.getsockname()
    for address in (unused, str(tmp_path / "clamd.ctl"), (host, int(port))):
        away = ClamdScanner(address, time_out_seconds=0.2)
        assert not away.ping()
        with pytest.raises(ScannerAway):
            away.scan(io.BytesIO(b"x"))


@pytest.mark.parametrize("url", ["http://127.0.0.1", "unix:", "tcp://", "tcp://host/path", "unix://host/path"])
def test_an_address_that_cannot_work_stops_the_start(url):
    with pytest.raises(ValueError, match="CLAMD_URL"):
        scanner_from(url)


def test_without_an_address_nobody_looks():
    assert scanner_from(None) is None
