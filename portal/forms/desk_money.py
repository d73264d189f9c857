"""How money in question is settled."""

from collections.abc import Sequence
from typing import Self

from wtforms import SelectChoice

from portal.forms.desk import DecisionForm
from portal.forms.fields import ChoiceField, LongTextField, Needed, SaysWhen, TextField, choice
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.payment_questions import QuestionOutcome, RefundMethod
from portal.services.refusal import Refused
from portal.services.say_why import FOR_THE_RECORD

OUTCOMES_TOLD = {
    QuestionOutcome.KEPT: ("Keep it", "It counts for what it came for, or as it did before."),
    QuestionOutcome.GIVEN_BACK: ("It went back, or goes back now", "It counts for nothing any more."),
    QuestionOutcome.SET_AGAINST: ("Set it against another order", "One of the same sum that is not paid."),
    QuestionOutcome.WRITTEN_OFF: ("Write it off", "The money is gone. What it paid for stands."),
}
# Of a dispute nothing goes out from here: the bank has taken the money, or will once the city has lost.
BY_THE_BANK = ("The payer’s bank gives it back", "It counts for nothing any more. The city sends nothing.")
WAYS_TOLD = {
    RefundMethod.CARD: ("To the card, now", "The card processor is asked at once."),
    RefundMethod.COUNTER: ("Over the counter, now", "in cash or by check. It leaves the till of today."),
    RefundMethod.OTHER: (
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
        return [one.value for one in self.how.choices] != [RefundMethod.OTHER]

    @property
    def back(self) -> RefundMethod:
        """How it goes back; raises Refused where it has to be said."""
        if self.outcome.data != QuestionOutcome.GIVEN_BACK or not self.asks_how:
            return RefundMethod.OTHER
        if not self.how.data:
            raise Refused([Refusal(Rule.FEES, "Choose how it goes back", "how")])
        return RefundMethod(self.how.data)

    @classmethod
    def offering(
        cls,
        outcomes: Sequence[QuestionOutcome],
        *,
        ways: Sequence[RefundMethod],
        accounts: Sequence[SelectChoice],
        at_counter: str,
        at_bank: bool,
    ) -> Self:
        """With the ways in which this kind of question can end, and what is done at the counter.

        Of which fee is asked where there are several.
        """
        form = cls()
        told = {**OUTCOMES_TOLD, QuestionOutcome.GIVEN_BACK: BY_THE_BANK} if at_bank else OUTCOMES_TOLD
        form.outcome.choices = [choice(one, *told[one]) for one in outcomes]
        label, hint = WAYS_TOLD[RefundMethod.COUNTER]
        ways_told = {**WAYS_TOLD, RefundMethod.COUNTER: (label, f"{at_counter}, {hint}")}
        form.how.choices = [choice(way, *ways_told[way]) for way in ways]
        form.account.choices = list(accounts)
        if len(accounts) < 2:
            del form.account
        return form
