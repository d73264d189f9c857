"""Cases F1, F5 and R1: what every form does when something is amiss."""

from uuid import UUID, uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from portal.forms.base import PAGE_TOO_OLD, PortalForm, Problem, SpamTrapped, SubmittedOnce
from portal.forms.fields import CivilDateField, Needed, PhotoField, TextField
from portal.ordinance.finding import Refusal
from portal.services.refusal import Refused


class LostPetForm(SubmittedOnce, SpamTrapped, PortalForm):
    """A form with one of each."""

    name = TextField("What is your pet called?", [Needed("Enter your pet’s name")])
    last_seen_on = CivilDateField("When was it last seen?")
    photo = PhotoField("A photo", [Needed("Choose a photo")])


def test_a_page_open_for_days_comes_back_with_its_text_and_a_fresh_token(app: Flask) -> None:
    with app.test_request_context("/", method="POST", data={"name": "Pepper", "csrf_token": "old"}):
        form = LostPetForm()
        assert not form.validate_on_submit()
        assert form.problems[0] == Problem(PAGE_TOO_OLD, None)
        assert form.name.data == "Pepper"
        assert "old" not in form.csrf_token()


@pytest.mark.parametrize("sent", ["[[]]", "[1]", '"Pepper"', '{"name": "Pepper"}', "{", "[" * 5000])
def test_json_is_no_answer_to_a_form(app: Flask, sent: str) -> None:
    with app.test_request_context("/", method="POST", data=sent, content_type="application/json"):
        form = LostPetForm()
        assert not form.validate_on_submit()
        assert not form.name.data


def test_a_token_does_not_age(app: Flask) -> None:
    with app.test_request_context("/", method="POST"):
        assert LostPetForm().meta.csrf_time_limit is None


@pytest.mark.usefixtures("without_tokens")
def test_problems_are_told_in_the_page_s_order_each_with_its_control() -> None:
    form = LostPetForm(formdata=MultiDict({"name": " ", "last_seen_on-month": "6", "last_seen_on-day": "31"}))
    form.validate()
    assert form.problems == [
        Problem("Enter your pet’s name", "name"),
        Problem("Enter the year", "last_seen_on-year"),
        Problem("Choose a photo", "photo"),
    ]


@pytest.mark.usefixtures("without_tokens")
def test_what_a_service_refuses_stands_beside_the_answer_or_above_them_all() -> None:
    form = LostPetForm(formdata=None)
    with form.refusals():
        raise Refused([Refusal("90.07", "It was found today", "last_seen_on"), Refusal("90.07", "We are closed")])
    assert form.problems == [Problem("We are closed", None), Problem("It was found today", "last_seen_on-month")]
    assert form.errors


@pytest.mark.usefixtures("without_tokens")
def test_the_same_page_keeps_its_key_and_a_strange_one_is_replaced() -> None:
    key = uuid4()
    assert LostPetForm(formdata=MultiDict({"submission_key": str(key)})).key == key
    assert isinstance(LostPetForm(formdata=MultiDict({"submission_key": "x"})).key, UUID)
    assert LostPetForm(formdata=None).key != LostPetForm(formdata=None).key


@pytest.mark.usefixtures("without_tokens")
def test_a_tripped_trap_is_for_review_and_refuses_nobody() -> None:
    trapped = LostPetForm(formdata=MultiDict({"second_subject": "http://example.com"}))
    trapped.validate()
    assert trapped.is_suspicious
    assert "second_subject" not in trapped.errors
    assert not LostPetForm(formdata=MultiDict({"name": "Rex"})).is_suspicious
