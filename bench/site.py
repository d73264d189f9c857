"""A browser for a portal that runs somewhere: behind a name, TLS and a proxy, or on a port of this machine."""

import http.client
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench.soak.browser import PATIENCE_SECONDS, Answer, Browser, opened


@dataclass(frozen=True)
class Site:
    """A portal's address, and the machine that is asked for it whatever the name says."""

    url: str
    host: str
    port: int

    @classmethod
    def at(cls, url: str, to: str | None) -> "Site":
        parts = urlsplit(url)
        place = urlsplit(f"//{to}" if to else url)
        return cls(url, place.hostname or "", place.port or (443 if parts.scheme == "https" else 80))

    @property
    def name(self) -> str:
        return urlsplit(self.url).netloc

    def connection(self, source: str | None = None) -> http.client.HTTPConnection:
        """One to this machine, from that address of ours; certificates made for a trial are taken."""
        if urlsplit(self.url).scheme == "http":
            return http.client.HTTPConnection(
                self.host, self.port, timeout=PATIENCE_SECONDS, source_address=(source, 0) if source else None
            )
        return _Secure(self, source)


class _Secure(http.client.HTTPSConnection):
    def __init__(self, site: Site, source: str | None) -> None:
        super().__init__(site.host, site.port, timeout=PATIENCE_SECONDS)
        self._named, self._source = urlsplit(site.url).hostname, source

    def connect(self) -> None:
        source = (self._source, 0) if self._source else None
        plain = socket.create_connection((self.host, self.port), PATIENCE_SECONDS, source)
        self.sock = ssl._create_unverified_context().wrap_socket(plain, server_hostname=self._named)  # noqa: S323


@dataclass
class Visitor(Browser):
    """A browser at such a site. `said` are headers that it adds, forged ones too."""

    site: Site | None = None
    source: str | None = None
    said: Mapping[str, str] | None = None

    def _exchange(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        if self.site is None:
            return super()._exchange(method, path, body, headers)
        own = {name: value for name, value in headers.items() if name != "X-Forwarded-For"}
        connection = self.site.connection(self.source)
        try:
            connection.request(method, path, body or None, {**own, **(self.said or {}), "Host": self.site.name})
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(response.status, response.headers, opened(content, response.headers.get("Content-Encoding")))
