"""The checks of pages find what they are there to find."""

import pytest

from tests.support.page_checker import PageChecker, faults_of
from tests.support.pages import Page

GOOD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>My dogs - City of Benson Animals</title></head>
<body><main id="main"><h1>My dogs</h1>
<form method="post" hx-post=""><label for="name">Name</label><input id="name" name="name" type="text">
<button type="submit">Send</button></form></main></body></html>
"""


def page(html: str, status: int = 200) -> Page:
    return Page("/dogs", status, html, {})


def test_a_good_page_passes() -> None:
    assert faults_of(page(GOOD)) == []


def test_a_page_with_a_mistake_in_it_passes_when_its_title_says_so() -> None:
    assert faults_of(page(GOOD, 422)) != []
    assert faults_of(page(GOOD.replace("<title>", "<title>Error: "), 422)) == []
    assert faults_of(page(GOOD.replace("<title>", "<title>Error: "), 200)) != []


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        pytest.param("</h1>", "</h2>", "HTML: ", id="a tag that is not closed"),
        pytest.param("<!doctype html>\n", "", "HTML: ", id="no doctype"),
        pytest.param(' lang="en"', "", "it does not say its language", id="no language"),
        pytest.param("<h1>My dogs</h1>", "", "it has 0 h1", id="no heading"),
        pytest.param("</main>", "<h1>Again</h1></main>", "it has 2 h1", id="two headings"),
        pytest.param("<title>My dogs", "<title>Dogs", "its title is “Dogs", id="another title"),
        pytest.param(" - City of Benson Animals", "", "its title is", id="a title without the city"),
        pytest.param('<main id="main">', '<main id="name">', "the id “name” is there 2 times", id="an id twice"),
        pytest.param('<label for="name">', '<label for="other">', "<label> points at #other", id="a label of nothing"),
        pytest.param('<label for="name">', "<label>", "<input name=name id=name> has no label", id="no label"),
        pytest.param("<label", '<a href="#top">Up</a><label', "<a> points at #top", id="a link to nothing"),
        pytest.param(
            ' name="name"', ' name="name" aria-describedby="hint"', "points at #hint", id="a hint that is not there"
        ),
        pytest.param("</main>", "<script>alert(1)</script></main>", "there is a <script>", id="an inline script"),
        pytest.param("</main>", "<p><i onclick='x()'>x</i></p></main>", "has onclick", id="an event attribute"),
        pytest.param("</main>", "<p><i hx-on:click='x()'>x</i></p></main>", "has hx-on", id="an htmx event attribute"),
        pytest.param("<h1>", '<h1 style="color: red">', "has style", id="an inline style"),
        pytest.param("</main>", '<a href="JavaScript:x()">x</a></main>', "has href", id="a script as a link"),
        pytest.param("</main>", '<button hx-get="/x">x</button></main>', "works with htmx alone", id="an htmx door"),
        pytest.param("</main>", '<a hx-get="/x">x</a></main>', "works with htmx alone", id="an htmx link"),
    ],
)
def test_a_fault_is_found(before: str, after: str, found: str) -> None:
    assert before in GOOD
    faults = faults_of(page(GOOD.replace(before, after, 1)))
    assert any(found in fault for fault in faults), faults


def test_html_validate_is_asked_too(page_checker: PageChecker) -> None:
    page_checker.check(page(GOOD))
    with pytest.raises(AssertionError, match="text-content"):
        page_checker.check(page(GOOD.replace('<button type="submit">Send</button>', '<button type="submit"></button>')))
