"""The door to e-mail: letters, and the mailer that the settings ask for."""

from portal.gateways.mail_letters import Letter, MailDeferred, Mailer, MailRefused

__all__ = ["Letter", "MailDeferred", "MailRefused", "Mailer"]
