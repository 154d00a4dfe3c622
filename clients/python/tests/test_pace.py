import asyncio
import threading
import time

import openai
import pytest
from conftest import COMPLETION, QUESTION

from headgate import AsyncHeadgate, BudgetExceededError, Headgate
from headgate._pace import Pacer

WINDOW = {"x-ratelimit-limit-requests": "60", "x-should-retry": "true"}
LIMITED = {"error": {"message": "m", "type": "requests", "param": None, "code": "rate_limit_exceeded"}}


def refusal(wait_ms, **headers):
    return (429, {**WINDOW, "retry-after-ms": str(wait_ms), **headers}, LIMITED)


class Clock:
    """Sleeping takes no time, and is told."""

    def __init__(self, monkeypatch):
        self.now = 1000.0
        self.slept = []
        monkeypatch.setattr("time.sleep", self.sleep)

        async def sleep(seconds):
            self.sleep(seconds)

        monkeypatch.setattr("anyio.sleep", sleep)

    def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds

    def pacer(self, most_seconds=600.0):
        return Pacer(most_seconds, now=lambda: self.now, draw=lambda: 0.0)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_a_refused_call_waits_for_its_turn(answering, clock):
    made, requests = answering(
        Headgate, refusal(2000), refusal(1500), (200, {}, COMPLETION), pace=clock.pacer(), max_retries=0
    )
    answer = made.chat.completions.create(model="m", messages=[])
    assert answer.choices[0].message.content == "Hi"
    assert len(requests) == 3
    assert clock.slept == [2.0, 1.5]


async def test_the_asynchronous_client_waits_too(answering, clock):
    made, requests = answering(AsyncHeadgate, refusal(2000), (200, {}, COMPLETION), pace=clock.pacer(), max_retries=0)
    await made.chat.completions.create(model="m", messages=[])
    assert (len(requests), clock.slept) == (2, [2.0])


def test_retries_are_not_used_up(answering, clock):
    made, requests = answering(Headgate, *[refusal(1000)] * 9, (200, {}, COMPLETION), pace=clock.pacer(), max_retries=2)
    made.chat.completions.create(model="m", messages=[])
    assert len(requests) == 10
    assert [request.headers["x-stainless-retry-count"] for request in requests] == ["0"] * 10


def test_after_the_last_request_of_a_window_the_next_waits_before_it_is_sent(answering, clock):
    last = {**WINDOW, "x-ratelimit-remaining-requests": "0"}
    made, requests = answering(Headgate, (200, last, COMPLETION), pace=clock.pacer())
    made.chat.completions.create(model="m", messages=[])
    assert clock.slept == []
    made.chat.completions.create(model="m", messages=[])
    assert (len(requests), clock.slept) == (2, [1.0])


def test_a_wait_has_an_end(answering, clock):
    made, requests = answering(Headgate, refusal(4000), pace=clock.pacer(most_seconds=10), max_retries=0)
    with pytest.raises(openai.RateLimitError):
        made.models.list()
    assert (len(requests), clock.slept) == (3, [4.0, 4.0])


def test_a_window_beyond_that_end_fails_at_once(answering, clock):
    made, requests = answering(Headgate, refusal(11_000), pace=clock.pacer(most_seconds=10), max_retries=0)
    with pytest.raises(openai.RateLimitError):
        made.models.list()
    assert (len(requests), clock.slept) == (1, [])


def test_what_no_wait_helps_fails_at_once(answering, clock):
    spent = {"error": {"message": "m", "type": "insufficient_quota", "param": None, "code": "insufficient_quota"}}
    made, requests = answering(Headgate, (429, {"x-should-retry": "false"}, spent), pace=clock.pacer())
    with pytest.raises(BudgetExceededError):
        made.models.list()
    unreachable = refusal(1000, **{"x-should-retry": "false"})
    made, _ = answering(Headgate, unreachable, pace=clock.pacer())
    with pytest.raises(openai.RateLimitError):
        made.models.list()
    assert (len(requests), clock.slept) == (1, [])


def test_calls_that_wait_have_turns_of_their_own(clock):
    pacer = clock.pacer()
    pacer.seen({"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "0"})
    assert [pacer.turn(pacer.deadline()) for _ in range(4)] == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("pace", [-1, -0.5])
def test_a_wait_that_can_not_be(pace):
    with pytest.raises(ValueError, match="pace"):
        Headgate(api_key="k", pace=pace)


def test_without_pace_a_refusal_is_told(answering):
    made, requests = answering(Headgate, refusal(2000), max_retries=0)
    with pytest.raises(openai.RateLimitError):
        made.models.list()
    assert len(requests) == 1


# The key has 120 requests a minute: a window that is used up has two each second.
CALLS = 130


def test_more_calls_than_a_window_has_all_succeed(environment):
    with Headgate(api_key=environment("HEADGATE_TEST_SLOW_KEY"), pace=True, max_retries=0) as client:
        answers = []

        def call():
            while len(answers) < CALLS:
                answers.append(client.chat.completions.create(model="echo", messages=QUESTION))

        threads = [threading.Thread(target=call) for _ in range(4)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) >= CALLS
        # Ten more than there are at once, at two a second: it may not come sooner.
        assert time.monotonic() - began >= 3


async def test_asynchronous_calls_wait_side_by_side(environment):
    key = environment("HEADGATE_TEST_SLOW_KEY")
    async with AsyncHeadgate(api_key=key, pace=True, max_retries=0) as client:
        calls = (client.chat.completions.create(model="echo", messages=QUESTION) for _ in range(4))
        assert len(await asyncio.gather(*calls)) == 4
