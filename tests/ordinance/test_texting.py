"""What an answer to a text means, and when texts may be sent (TCPA, example 63)."""

from datetime import time

import pytest

from portal.ordinance.texting import Answer, answer_in, is_decent

ANSWERS = {
    Answer.STOP: [
        *(
            "STOP",
            "stop",
            " Stop. ",
            "STOP!!!",
            "STOPALL",
            "Stop all",
            "END",
            "Cancel",
            "QUIT",
            "Unsubscribe",
            "revoke",
        ),
        *("opt out", "OPT-OUT", "optout", "please stop", "Please stop texting", "please stop texting me!", "pls stop"),
        *("stop texting me", "Stop sending me these", "stop sending these messages", "I want you to stop texting me"),
        *("quit texting", "quit it", "please quit", "no more texts", "no more messages please", "don't text me"),
        *(
            "Don’t text me anymore",
            "do not contact me",
            "dont message me again",
            "never text this number",
            "enough texts",
        ),
        *("unsubscribe me", "please unsubscribe", "take me off your list", "remove me", "remove me from this list"),
        *("leave me alone", "wrong number", "Wrong person", "opt me out", "I am opting out", "cancel these texts"),
        *("end texts", "I don't want these texts", "i do not want texts", "no", "No thanks", "ALTO"),
        *("no me envíe más mensajes", "basta", "deje de escribirme", "jooji", "can you stop messaging me"),
        *("yes stop", "STOP please", "stop now", "Stop it", "I already told you to stop these"),
    ],
    Answer.START: ["START", "start", "Unstop", "yes", "YES!", "resume", "opt in", "Sí"],
    Answer.HELP: ["HELP", "help?", "Info", "ayuda", "who is this?", "What is this"],
    None: [
        *(
            "",
            "   ",
            "👍",
            "ok",
            "Thanks",
            "Is the office open on Friday?",
            "don't stop",
            "please don't stop texting me",
        ),
        *(
            "do not cancel",
            "I will stop by your office now",
            "Pepper is at home",
            "when do you close",
            "starting today",
        ),
    ],
}


@pytest.mark.parametrize(("text", "meant"), [(text, meant) for meant, texts in ANSWERS.items() for text in texts])
def test_what_an_answer_means(text, meant):
    """Example 63: "please stop texting" is STOP, and so is any other reasonable way to say so."""
    assert answer_in(text) is meant


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        pytest.param(time(8, 59), False, id="before nine"),
        pytest.param(time(9), True, id="nine"),
        pytest.param(time(19, 59), True, id="the last minute"),
        pytest.param(time(20), False, id="eight in the evening"),
        pytest.param(time(0, 5), False, id="after midnight"),
    ],
)
def test_when_people_may_be_texted(at, expected):
    """64.1200(c)(1)."""
    assert is_decent(at) is expected
