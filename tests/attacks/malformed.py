"""What breaks parsers, addresses and forms: drawn by hypothesis, seasoned with horrors written by hand."""

import json
from dataclasses import dataclass
from urllib.parse import quote_from_bytes

from hypothesis import strategies as st
from werkzeug.routing import Rule

DEEP, MANY_FIELDS, LONG = 3000, 5000, 200_000
HORRORS = [
    b"\x00",
    b"a\x00b",
    b"\xff\xfe\xfd",  # no UTF-8
    b"\xed\xa0\x80",  # half of a surrogate pair
    b"\xc0\xae\xc0\xae/",  # dots in too many bytes
    "\u202e\ufeff".encode(),
    "🐶".encode() * 500,
    b"../" * 20 + b"etc/passwd",
    b"..%2f..%2f..%2fetc%2fpasswd",
    b"'; DROP TABLE portal.account; --",
    b"{{ 7*7 }}${7*7}<%= 7*7 %>",
    b"<script>alert(1)</script>",
    b"%s%n%x" * 30,
    b"\r\nSet-Cookie: portal=forged\r\n",
    b"9" * 5000,
    b"-1",
    b"1e999",
    b"nan",
    "٣٤".encode(),
    b"9999-99-99",
    b"2026-02-30T25:61:61+99:99",
    b"00000000-0000-0000-0000-000000000000",
    b"",
]
NAMES = [
    *("csrf_token", "key", "email", "code", "name", "animal_name", "born_on-year", "file", "photo", "q", "page"),
    *("next", "after", "kind", "is_true", "message", "place", "day-month", "service_code", "api_key", "lat", ""),
]
KINDS = [
    *("application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x"),
    *("application/json", "application/json; charset=utf-7", "text/xml", "image/jpeg", "x/y; charset=nonsense", ""),
    *("multipart/form-data; boundary=" + "b" * 300, "application/x-www-form-urlencoded; charset=\xff"),
]
METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "\x7f"]
HEADERS = {
    "Range": ["bytes=0-0", "bytes=9-1", "bytes=-1", "lines=1", "bytes=" + "0-1," * 500],
    "If-Modified-Since": ["yesterday", "Thu, 99 Foo 9999 99:99:99 GMT"],
    "If-None-Match": ["*", '"' * 99],
    "Cookie": ["portal=x.y.z", "portal=" + "A" * 4000, "desk=x", "=;=;=", "portal=\xff; portal=a"],
    "Accept": ["*/*;q=9", "a" * 999, "application/json"],
    "Accept-Language": ["x-klingon;q=nan", "a" * 999],
    "Accept-Encoding": ["br;q=x", "identity;q=0, *;q=0"],
    "HX-Request": ["true"],
    "HX-Current-URL": ["javascript:alert(1)", "http://[", "\xff"],
    "Authorization": ["Bearer", "Bearer \xff", "Basic %%%", "Bearer " + "a" * 5000],
    "Idempotency-Key": ["", "a" * 999, "\xff"],
    "Stripe-Signature": ["t=1,v1=x", "t=nan,v1=", "," * 999, "t=" + "9" * 400 + ",v1=0"],
    "X-Portal-Timestamp": ["nan", "9" * 400],
    "X-Portal-Signature": ["x", "\xff"],
    "Sec-Fetch-Site": ["cross-site", "\xff"],
    "Origin": ["null", "http://evil.example", "http://["],
    "Referer": ["http://[", "\xff", "https://evil.example/"],
    "X-Forwarded-For": ["evil, , ,", "\xff", "::1%lo"],
    "X-Forwarded-Proto": ["https,ftp", "\xff"],
    "Transfer-Encoding": ["chunked", "gzip, chunked"],
    "Content-Length": ["-1", "1e3", "99999999999999999999", "0"],
    "Content-Encoding": ["gzip"],
}
WORDS = st.one_of(
    st.sampled_from(HORRORS), st.binary(max_size=40), st.text(max_size=40).map(lambda it: it.encode("utf-8", "replace"))
)


@dataclass(frozen=True)
class Malformed:
    """One request, as the wire would carry it."""

    method: str
    path: str
    query: bytes
    headers: tuple[tuple[str, str], ...]
    kind: str
    body: bytes


@st.composite
def requests_to(draw: st.DrawFn, rule: Rule, address: str) -> Malformed:
    """A request to a route: a real address or one with horrors in its places, and anything in the rest."""
    path = draw(st.sampled_from([address, address, spoiled(draw, rule)]))
    usual = sorted(rule.methods or ())
    return Malformed(
        method=draw(st.sampled_from([*usual * 3, *METHODS])),
        path=path,
        query=draw(st.sampled_from([b"", b"", fields(draw)])),
        headers=tuple((name, draw(st.sampled_from(HEADERS[name]))) for name in draw(some_headers())),
        kind=draw(st.sampled_from(KINDS)),
        body=draw(st.sampled_from([body(draw), fields(draw), b""])),
    )


def some_headers() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(sorted(HEADERS)), max_size=3, unique=True)


def spoiled(draw: st.DrawFn, rule: Rule) -> str:
    """The route's address with something else in place of each of its things."""
    path = rule.rule
    for name in rule.arguments:
        head, _, tail = path.rpartition(f"{name}>")
        beginning = head.rpartition("<")[0]
        path = f"{beginning}{quote_from_bytes(draw(WORDS))[:2000]}{tail}"
    return path


def fields(draw: st.DrawFn) -> bytes:
    """Names and values, some of them several times."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(NAMES), WORDS), max_size=6))
    return b"&".join(name.encode() + b"=" + quote_from_bytes(value).encode() for name, value in pairs)


def body(draw: st.DrawFn) -> bytes:
    """A form, JSON or a file that is not what it says."""
    return draw(
        st.one_of(
            WORDS,
            st.sampled_from(BODIES),
            st.recursive(st.none() | st.booleans() | st.text(max_size=9) | st.floats(), _nested, max_leaves=6).map(
                lambda it: json.dumps(it).encode("utf-8", "replace")
            ),
        )
    )


def _nested(inside: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inside, max_size=3)


def _part(name: bytes, value: bytes = b"x", more: bytes = b"") -> bytes:
    return b'--x\r\nContent-Disposition: form-data; name="' + name + b'"' + more + b"\r\n\r\n" + value + b"\r\n"


BODIES = [
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b"&".join(b"f%d=x" % number for number in range(MANY_FIELDS)),
    b"csrf_token=" + b"A" * LONG,
    b"".join(_part(b"f%d" % number) for number in range(1000)) + b"--x--\r\n",
    _part(b"file", b"\xff\xd8\xff" + b"\x00" * 999, b'; filename="../../x.jpg"') + b"--x--\r\n",
    _part(b"file", b"", b'; filename="' + b"a" * 5000 + b'"') + b"--x--\r\n",
    _part(b"file")[:-9],
    b"--x\r\n\r\n\r\n--x--",
    b"--x\r\nContent-Disposition: form-data\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x--",
    b'{"animal_name": "\\ud800", "given_on": 1e400, "duration_years": -0, "species": {}}',
    b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><a>&b;</a>",
    b"\x1f\x8b" + b"\x00" * 99,
]
