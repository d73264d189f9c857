"""Machines ask a process at its own address, under whatever name that has: probes, balancers, Prometheus."""

import re
from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

# Nothing in these answers is built from the name they were asked under.
FOR_MACHINES = re.compile(r"(/desk)?/(health/live|health/ready|metrics)")


class AnyName:
    """Answers machines as if they had asked under the site's name; everybody else has to."""

    def __init__(self, app: WSGIApplication, name: str) -> None:
        self.app, self.name = app, name

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """WSGI (PEP 3333)."""
        path: Any = environ.get("PATH_INFO", "")
        if FOR_MACHINES.fullmatch(path):
            environ = {**environ, "HTTP_HOST": self.name}
        return self.app(environ, start_response)
