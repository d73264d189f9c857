"""Signing in by the code or the link of one message."""

from tests.support.people import Person


def test_a_person_signs_in_with_the_code_of_the_message(visitor: Person) -> None:
    visitor.visit("/sign-in?next=/register").submit(email="pat@example.com")
    assert visitor.h1 == "Type the code we sent you"
    visitor.submit(code=visitor.outbox.code("pat@example.com"))
    assert visitor.path == "/register"
