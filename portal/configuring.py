"""What every application of the portal is set to: Flask's own settings, built files, and the proxies before it."""

from datetime import timedelta
from urllib.parse import urlsplit

from flask import Flask, abort, request
from werkzeug.middleware.proxy_fix import ProxyFix
from whitenoise import WhiteNoise

from portal.composition import Gateways
from portal.settings import Settings
from portal.views import headers, words
from portal.views.any_name import AnyName
from portal.views.request_log import RequestLog, note_route

# Long texts are refused beside their box with all of it kept; only what is far beyond them is cut off.
LONGEST_TEXT_BYTES = 2_000_000
MOST_FIELDS = 500


def configure(app: Flask, settings: Settings, parts: Gateways) -> None:
    """Flask's own settings."""
    first, *others = settings.secret_keys
    is_https = urlsplit(settings.base_url).scheme == "https"
    app.config.update(
        SECRET_KEY=first,
        SECRET_KEY_FALLBACKS=others,
        BASE_URL=settings.base_url,
        IS_PRACTICE=settings.stripe.is_practice,
        OFFERS_TEXTS=settings.sms.is_offered,
        METRICS_TOKENS=settings.metrics_tokens,
        SMS_SECRET=settings.sms.secret,
        TWILIO_TOKEN=settings.sms.twilio_token,
        TRUSTED_HOSTS=trusted_hosts(settings),
        MAX_CONTENT_LENGTH=parts.city.uploads.max_form_bytes,
        MAX_FORM_MEMORY_SIZE=LONGEST_TEXT_BYTES,
        MAX_FORM_PARTS=MOST_FIELDS,
        SESSION_COOKIE_NAME="__Host-portal" if is_https else "portal",
        SESSION_COOKIE_SECURE=is_https,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=timedelta(days=31),
        WTF_CSRF_TIME_LIMIT=None,
        COMPRESS_ALGORITHM=["br", "gzip"],
        COMPRESS_BR_LEVEL=4,
        COMPRESS_MIMETYPES=["text/html", "text/plain", "application/json", "text/xml", "image/svg+xml"],
    )
    app.before_request(note_route)
    app.before_request(refuse_nul)


def refuse_nul() -> None:
    """No address here has a NUL in it, and PostgreSQL has no text that could be looked for with one."""
    if "\0" in request.path:
        abort(404)


def trusted_hosts(settings: Settings) -> list[str]:
    """The names this portal answers to, its own first; a request of people under any other is refused with 400."""
    host = urlsplit(settings.base_url).hostname or "localhost"
    return [host, "localhost", "127.0.0.1"] if settings.is_local else [host]


def wrap(app: Flask, settings: Settings) -> None:
    """Built files come before Flask; each request has its line; proxies are believed as many as there are."""
    own_name, *_ = trusted_hosts(settings)
    files = WhiteNoise(
        AnyName(app.wsgi_app, own_name),
        root=words.BUILT,
        prefix="static",
        immutable_file_test=lambda path, url: ".json" not in url,
        allow_all_origins=False,
    )
    app.wsgi_app = headers.AlwaysSaid(files)  # type: ignore[method-assign]
    app.wsgi_app = RequestLog(app.wsgi_app, trusts_ids=settings.trusted_proxies > 0)  # type: ignore[method-assign]
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=1, x_host=0)  # type: ignore[method-assign]
