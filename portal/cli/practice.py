"""`portal practice`: the stand-ins for card payments and mail."""

import click

from portal.cli.environment import read_settings, sockets_of
from portal.gateways import logs
from portal.practice import PracticeSettings, create_practice_app
from portal.serving.server import serve
from portal.settings import Settings


@click.command()
def practice() -> None:
    """Serve the practice card processor and the practice mailbox, one port above PORT."""
    settings = read_settings()
    logs.begin("practice", is_local=settings.is_local)
    if not settings.is_local:
        raise click.ClickException("The practice stand-ins are only for a local address.")
    settings.data.mkdir(parents=True, exist_ok=True)
    sockets = sockets_of(settings.practice_port, is_local=True)
    serve(create_practice_app(practice_settings(settings)), sockets)


def practice_settings(settings: Settings) -> PracticeSettings:
    """What the stand-ins need to know of this run."""
    return PracticeSettings(
        data=settings.data,
        webhook_url=f"{settings.base_url}/stripe/webhook",
        webhook_secret=settings.stripe.webhook_secret,
        secret_key=settings.stripe.secret_key,
        base_url=settings.practice_url,
        mail_folder=settings.mail_folder,
    )
