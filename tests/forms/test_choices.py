"""Questions answered by choosing."""

from typing import Any

import pytest

from portal.forms.fields import ChoiceField, ChoicesField, ConfirmField, DropdownField, Needed, YesNoField, choice
from tests.forms.answering import answer

pytestmark = pytest.mark.usefixtures("without_tokens")

SEX = [choice("f", "Female"), choice("m", "Male")]


@pytest.mark.parametrize("kind", [ChoiceField, DropdownField, ChoicesField])
def test_an_answer_we_never_offered_is_asked_for_again(kind: Any) -> None:
    assert answer(kind("", choices=SEX), asked="x").errors == ["Choose one of the answers"]


@pytest.mark.parametrize("kind", [ChoiceField, DropdownField, ChoicesField])
def test_no_answer_is_told_in_the_question_s_own_words(kind: Any) -> None:
    assert answer(kind("", [Needed("Choose female or male")], choices=SEX)).errors == ["Choose female or male"]
    assert answer(kind("", choices=SEX)).errors == []


def test_a_blank_among_several_answers_is_none() -> None:
    asked = answer(ChoicesField("", [Needed("Choose one or more")], choices=SEX), asked="")
    assert (asked.data, asked.errors) == ([], ["Choose one or more"])


def test_the_error_of_radio_buttons_leads_to_the_first() -> None:
    assert answer(ChoiceField("", [Needed("Choose")], choices=SEX)).error_links() == [("asked-0", "Choose")]


@pytest.mark.parametrize(("sent", "means"), [("yes", True), ("no", False)])
def test_yes_and_no_are_answers(sent: str, means: bool) -> None:
    asked = answer(YesNoField("", [Needed("Choose yes or no")]), asked=sent)
    assert (asked.data, asked.errors) == (means, [])
    assert [option.choice.value for option in asked if option.choice.selected] == [sent]


@pytest.mark.parametrize("sent", [{}, {"asked": "maybe"}])
def test_neither_yes_nor_no_is_asked_for_again(sent: dict[str, str]) -> None:
    asked = answer(YesNoField("", [Needed("Choose yes or no")]), **sent)
    assert (asked.data, asked.errors) == (None, ["Choose yes or no"])


def test_a_statement_has_to_be_ticked_where_it_is_needed() -> None:
    assert answer(ConfirmField("", [Needed("Tick the box to go on")])).errors == ["Tick the box to go on"]
    assert answer(ConfirmField("", [Needed("Tick the box to go on")]), asked="y").data is True
