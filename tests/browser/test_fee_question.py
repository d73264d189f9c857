"""The pages on which a fee is doubted."""

from tests.browser.conftest import EMAIL


def test_the_pages_about_a_fee_that_looks_wrong(open_screen, gallery, registrations):
    screen = open_screen().visit("/fees")
    screen.page.locator("a[href*=duplicate_tag]").click()
    gallery.look(screen.arrive("A fee looks wrong"), "fee-question")
    gallery.look_at_mistakes(screen, "fee-question", button="Send to the city")
    screen.answer(fee="license", text="It was $8 before.").press(
        "Send to the city", leads_to="The city has your question"
    )
    gallery.look(screen, "fee-question-sent")
    kept = registrations.dog("Pepper")
    keeper = open_screen(email=EMAIL, then="/dogs").visit(f"/pay/{kept.order_id}")
    gallery.look(keeper.follow("This fee looks wrong", leads_to="A fee looks wrong"), "fee-question-order")
