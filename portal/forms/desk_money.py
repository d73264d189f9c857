"""How money in question is settled."""

from collections.abc import Sequence
from typing import Self

from portal.forms.desk import DecisionForm
from portal.forms.fields import ChoiceField, LongTextField, Needed, SaysWhen, TextField, choice
from portal.ordinance.citation import Rule
from portal.ordinance.finding import Refusal
from portal.schema.payment_questions import QuestionOutcome
from portal.services.refusal import Refused
from portal.services.say_why import FOR_THE_RECORD

NOW, OTHERWISE = "card", "otherwise"
OUTCOMES_TOLD = {
    QuestionOutcome.KEPT: ("Keep it", "It counts for what it came for, or as it did before."),
    QuestionOutcome.GIVEN_BACK: ("It went back, or goes back now", "It counts for nothing any more."),
    QuestionOutcome.SET_AGAINST: ("Set it against another order", "One of the same sum that is not paid."),
    QuestionOutcome.WRITTEN_OFF: ("Write it off", "The money is gone. What it paid for stands."),
}


class SettleForm(DecisionForm):
    outcome = ChoiceField("What becomes of it?", [Needed("Choose what becomes of it")], choices=[])
    how = ChoiceField(
        "If it goes back, how?",
        [SaysWhen()],
        choices=[
            choice(NOW, "To the card, now", "The card processor is asked at once."),
            choice(OTHERWISE, "It went back another way", "In cash, by check, by the bank, or in the dashboard."),
        ],
    )
    against = TextField(
        "If it pays another order, its reference", [SaysWhen()], max_length=40, width="medium", autocomplete="off"
    )
    reason = LongTextField("Why?", [Needed(FOR_THE_RECORD)], max_length=2_000, hint="Kept for the auditor.")

    @property
    def to_card(self) -> bool:
        """Whether the processor is to give it back now; raises Refused where it has to be said."""
        if self.outcome.data != QuestionOutcome.GIVEN_BACK or len(self.how.choices) == 1:
            return False
        if not self.how.data:
            raise Refused([Refusal(Rule.FEES, "Choose how it goes back", "how")])
        return bool(self.how.data == NOW)

    @classmethod
    def offering(cls, outcomes: Sequence[QuestionOutcome], *, to_card: bool) -> Self:
        """With the ways in which this kind of question can end."""
        form = cls()
        form.outcome.choices = [choice(one, *OUTCOMES_TOLD[one]) for one in outcomes]
        if not to_card:
            form.how.choices = [one for one in form.how.choices if one.value != NOW]
        return form
