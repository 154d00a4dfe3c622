import openai
import pytest
from conftest import COMPLETION, QUESTION

from headgate import AsyncHeadgate, BudgetExceededError, Headgate, ModelNotFoundError, OverloadedError


def error(code, **others):
    return {"error": {"message": "m", "type": "t", "param": None, "code": code, **others}}


def test_a_model_that_is_not_there_has_near_names(client):
    with pytest.raises(ModelNotFoundError) as refusal:
        client.chat.completions.create(model="fake-smal", messages=QUESTION)
    assert isinstance(refusal.value, openai.NotFoundError)
    assert refusal.value.near[0].endswith("fake-small")
    assert refusal.value.param == "model"
    with pytest.raises(ModelNotFoundError) as refusal:
        client.models.retrieve("xyzzyxyzzyxyzzy/xyzzy")
    assert refusal.value.near == ()


def test_near_names_are_those_of_the_body_and_not_of_the_message(answering):
    said = "Nearest: `other`."
    for told, near in [(["a `b`", "c"], ("a `b`", "c")), ([], ()), ("a", ()), ([1, "d"], ("d",)), (None, ())]:
        body = {"error": {"message": said, "type": "t", "param": "model", "code": "model_not_found", "near": told}}
        made, _ = answering(Headgate, (404, {}, body), max_retries=0)
        with pytest.raises(ModelNotFoundError) as refusal:
            made.models.list()
        assert refusal.value.near == near
    made, _ = answering(Headgate, (404, {}, error("model_not_found")), max_retries=0)
    with pytest.raises(ModelNotFoundError) as refusal:
        made.models.list()
    assert refusal.value.near == ()


async def test_the_same_of_the_asynchronous_client(async_client):
    with pytest.raises(ModelNotFoundError) as refusal:
        await async_client.chat.completions.create(model="fake-smal", messages=QUESTION)
    assert refusal.value.near[0].endswith("fake-small")


def test_a_budget_that_is_spent(client, poor_key):
    with pytest.raises(BudgetExceededError) as refusal:
        client.with_options(api_key=poor_key, max_retries=5).chat.completions.create(
            model="fake-small", messages=QUESTION
        )
    assert isinstance(refusal.value, openai.RateLimitError)
    assert refusal.value.code == "insufficient_quota"


@pytest.fixture
def poor_key(environment):
    return environment("HEADGATE_TEST_POOR_KEY")


@pytest.mark.parametrize("code", ["overloaded", "provider_busy", "no_target_available"])
def test_a_gateway_that_is_too_busy(answering, code):
    made, _ = answering(Headgate, (503, {"retry-after-ms": "1500", "retry-after": "2"}, error(code)), max_retries=0)
    with pytest.raises(OverloadedError) as refusal:
        made.models.list()
    assert isinstance(refusal.value, openai.InternalServerError)
    assert refusal.value.retry_after_seconds == 1.5


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (503, "storage_unavailable", openai.InternalServerError),
        (429, "rate_limit_exceeded", openai.RateLimitError),
        (404, "not_found", openai.NotFoundError),
        (403, "model_not_allowed", openai.PermissionDeniedError),
    ],
)
def test_other_errors_are_the_official_ones(answering, status, code, kind):
    made, _ = answering(Headgate, (status, {}, error(code)), max_retries=0)
    with pytest.raises(kind) as refusal:
        made.models.list()
    assert type(refusal.value) is kind


RETRY = {"retry-after-ms": "10", "x-should-retry": "true"}


def test_a_retry_waits_at_least_as_long_as_it_is_told(answering, monkeypatch):
    waits = []
    monkeypatch.setattr("time.sleep", waits.append)
    headers = {"retry-after-ms": "2000", "x-should-retry": "true"}
    made, requests = answering(
        Headgate, *[(503, headers, error("overloaded"))] * 20, (200, {}, COMPLETION), max_retries=20
    )
    made.chat.completions.create(model="m", messages=[])
    assert len(requests) == 21
    assert all(2 <= wait <= 2.2 for wait in waits)
    assert len(set(waits)) > 1


def test_what_is_not_worth_a_retry_is_sent_once(answering):
    made, requests = answering(Headgate, (503, {"x-should-retry": "false"}, error("x")), max_retries=5)
    with pytest.raises(openai.InternalServerError):
        made.models.list()
    assert len(requests) == 1


async def test_the_asynchronous_client_tries_again(answering):
    made, requests = answering(AsyncHeadgate, (429, RETRY, error("rate_limit_exceeded")), (200, {}, COMPLETION))
    answer = await made.chat.completions.create(model="m", messages=[])
    assert answer.choices[0].message.content == "Hi"
    assert [request.headers["x-stainless-retry-count"] for request in requests] == ["0", "1"]
