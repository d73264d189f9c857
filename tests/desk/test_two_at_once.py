"""Two officers take the same five hundred items in the same order: nothing is lost, nothing is decided twice."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sqlalchemy import select
from sqlalchemy.orm import Session

from portal.schema.departures import FeeQuestion
from portal.services.desk.seen import expect_version, version_of
from portal.services.orders.ask_about_fee import answer_fee_question
from portal.services.refusal import ChangedMeanwhile, Refused

ITEMS = 500
ASK = "INSERT INTO animal_control.fee_question (fee, text) SELECT 'license', n::text FROM generate_series(1, :n) n"
TWICE = """
    SELECT count(*) FROM (
        SELECT subject_id FROM animal_control.event WHERE kind = 'fee.answered' GROUP BY 1 HAVING count(*) <> 1
    ) found
"""


def test_of_two_officers_on_five_hundred_items_one_decides_each(desk_engine, database, gateways):
    database.run(ASK, n=ITEMS)
    with Session(desk_engine) as session:
        items = list(session.scalars(select(FeeQuestion.id).order_by(FeeQuestion.text)))
    both_look = Barrier(2, timeout=100)

    def work(officer):
        decided, stopped = 0, 0
        for number, item in enumerate(items):
            with Session(desk_engine) as session:
                seen = version_of(session, FeeQuestion, item)
                session.rollback()
                if number % 10 == 0:
                    both_look.wait()  # now and then both have the same page before them for certain
                try:
                    with session.begin():
                        expect_version(session, FeeQuestion, item, seen)
                        answer_fee_question(
                            session, question_id=item, answer=officer, officer=officer, clock=gateways.clock
                        )
                except (ChangedMeanwhile, Refused):  # refused when it was looked at after the other had decided
                    stopped += 1
                else:
                    decided += 1
        return decided, stopped

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(work, ["olsen@benson.example", "clark@benson.example"])
    assert first[0] + second[0] == ITEMS
    assert first[1] + second[1] == ITEMS
    assert database.value("SELECT count(*) FROM animal_control.fee_question WHERE answered_at IS NOT NULL") == ITEMS
    assert database.value("SELECT count(*) FROM animal_control.event WHERE kind = 'fee.answered'") == ITEMS
    assert database.value(TWICE) == 0
    by_event = database.rows(
        "SELECT count(*) AS n FROM animal_control.event e JOIN animal_control.fee_question q ON q.id = e.subject_id "
        "WHERE e.actor = 'officer:' || q.answer"
    )
    assert by_event[0].n == ITEMS
