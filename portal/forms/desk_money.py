"""How money in question is settled."""

from collections.abc import Sequence
from typing import Self

from wtforms import SelectChoice

from portal.forms.desk import DecisionForm
from portal.forms.fields import ChoiceField, LongTextField, Needed, SaysWhen, TextField, choice
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.payment_questions import QuestionOutcome
from portal.services.payments.settle_question import Way
from portal.services.refusal import Refused
from portal.services.say_why import FOR_THE_RECORD

OUTCOMES_TOLD = {
    QuestionOutcome.KEPT: ("Keep it", "It counts for what it came for, or as it did before."),
    QuestionOutcome.GIVEN_BACK: ("It went back, or goes back now", "It counts for nothing any more."),
    QuestionOutcome.SET_AGAINST: ("Set it against another order", "One of the same sum that is not paid."),
    QuestionOutcome.WRITTEN_OFF: ("Write it off", "The money is gone. What it paid for stands."),
}
WAYS_TOLD = {
    Way.CARD: ("To the card, now", "The card processor is asked at once."),
    Way.COUNTER: ("Over the counter, now", "in cash or by check. It leaves the till of today."),
    Way.OTHERWISE: (
        "It went back another way",
        "By the bank or from City Hall. What the processor’s dashboard gave back shows in the payment by itself.",
    ),
}


class SettleForm(DecisionForm):
    outcome = ChoiceField("What becomes of it?", [Needed("Choose what becomes of it")], choices=[])
    how = ChoiceField("If it goes back, how?", [SaysWhen()], choices=[])
    account = ChoiceField("If it goes over the counter, of which fee?", [SaysWhen()], choices=[])
    against = TextField(
        "If it pays another order, its reference", [SaysWhen()], max_length=40, width="medium", autocomplete="off"
    )
    reason = LongTextField("Why?", [Needed(FOR_THE_RECORD)], max_length=2_000, hint="Kept for the auditor.")

    @property
    def asks_how(self) -> bool:
        """Whether it can go back from here, which is then said."""
        return [one.value for one in self.how.choices] != [Way.OTHERWISE]

    @property
    def back(self) -> Way:
        """How it goes back; raises Refused where it has to be said."""
        if self.outcome.data != QuestionOutcome.GIVEN_BACK or not self.asks_how:
            return Way.OTHERWISE
        if not self.how.data:
            raise Refused([Refusal(Rule.FEES, "Choose how it goes back", "how")])
        return Way(self.how.data)

    @classmethod
    def offering(
        cls,
        outcomes: Sequence[QuestionOutcome],
        *,
        ways: Sequence[Way],
        accounts: Sequence[SelectChoice],
        at_counter: str,
    ) -> Self:
        """With the ways in which this kind of question can end, and what is done at the counter.

        Of which fee is asked where there are several.
        """
        form = cls()
        form.outcome.choices = [choice(one, *OUTCOMES_TOLD[one]) for one in outcomes]
        told = {**WAYS_TOLD, Way.COUNTER: (WAYS_TOLD[Way.COUNTER][0], f"{at_counter}, {WAYS_TOLD[Way.COUNTER][1]}")}
        form.how.choices = [choice(way, *told[way]) for way in ways]
        form.account.choices = list(accounts)
        if len(accounts) < 2:
            del form.account
        return form
