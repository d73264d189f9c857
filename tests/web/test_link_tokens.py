"""Links that nobody sent: whatever stands in them, the browser goes on as before."""

import random
import string

import pytest


@pytest.mark.parametrize(
    "path", ["/invitations/{}", "/me/email/{}", "/sign-in/link/{}", "/tags/talk/{}", "/vet/ask/{}"]
)
def test_a_link_of_any_length_leaves_room_in_the_cookie_for_signing_in(visitor, path):
    """A browser drops a cookie of more than 4,096 characters, and the sign-in that came with it."""
    token = "".join(random.Random(7).choices(string.ascii_letters, k=3_500))  # noqa: S311 - only hard to compress
    visitor.visit(path.format(token), status=410)
    with visitor.client.session_transaction(base_url=visitor.origin) as cookie:
        assert len(str(dict(cookie))) < 1_000
