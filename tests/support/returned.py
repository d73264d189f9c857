"""Letters that come back, as mail servers write them (RFC 3464)."""

from email.message import EmailMessage

QUOTED = """\
From: City of Benson <animals@example.gov>
To: pat@example.com
Subject: Pepper
Message-ID: <{token}@localhost>

Hello
"""


def returned(
    token: str,
    *,
    to: str = "bounces@example.gov",
    action: str = "failed",
    status: str = "5.1.1",
    said: str = "smtp; 550 5.1.1 No such user",
    recipient: str = "pat@example.com",
    quotes: str = QUOTED,
) -> bytes:
    """A notification about the letter with this token."""
    blocks = (
        f"Reporting-MTA: dns; mail.example.com\n\n"
        f"Final-Recipient: rfc822; {recipient}\nAction: {action}\nStatus: {status}\nDiagnostic-Code: {said}\n"
    )
    report = (
        "From: Mail Delivery System <MAILER-DAEMON@mail.example.com>\n"
        f"To: {to}\n"
        "Subject: Undelivered Mail Returned to Sender\n"
        "MIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status;\n\tboundary="=_b"\n'
        "\n--=_b\nContent-Type: text/plain\n\nI am sorry.\n"
        f"--=_b\nContent-Type: message/delivery-status\n\n{blocks}\n"
        f"--=_b\nContent-Type: text/rfc822-headers\n\n{quotes.format(token=token)}\n"
        "--=_b--\n"
    )
    return report.replace("\n", "\r\n").encode()


def answered(token: str) -> bytes:
    """What a person, or a holiday notice, writes back."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "pat@example.com", "bounces@example.gov", "Away until Monday"
    message["In-Reply-To"] = f"<{token}@localhost>"
    message.set_content("Action: failed\nStatus: 5.1.1\n")
    return message.as_bytes()
