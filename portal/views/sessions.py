"""The signed cookie that keeps a browser's session."""

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer


class SignedCookies(SecureCookieSessionInterface):
    """Flask's own, with its signer made once: the keys of a running application do not change."""

    _signer: URLSafeTimedSerializer | None = None

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """The signer for this application, which is the only one of this object."""
        if self._signer is None:
            self._signer = super().get_signing_serializer(app)
        return self._signer


def init_app(app: Flask) -> None:
    app.session_interface = SignedCookies()
