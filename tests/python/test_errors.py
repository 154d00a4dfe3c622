import pytest
from openai import (
    APIError,
    AuthenticationError,
    BadRequestError,
    InternalServerError,
    NotFoundError,
    OpenAI,
    RateLimitError,
)

QUESTION = [{"role": "user", "content": "Hello?"}]
UNKNOWN_KEY = "hg_live_" + "0" * 49


@pytest.mark.parametrize("key", ["sk-of-another-house", UNKNOWN_KEY])
def test_a_wrong_key_is_an_authentication_error(key):
    with OpenAI(api_key=key, max_retries=0) as stranger, pytest.raises(AuthenticationError) as refusal:
        stranger.chat.completions.create(model="fake-small", messages=QUESTION)
    assert refusal.value.code == "invalid_api_key"
    assert refusal.value.request_id.startswith("req_")
    assert key not in str(refusal.value)


def test_an_unknown_model_is_a_not_found_error_with_the_nearest_names(client):
    with pytest.raises(NotFoundError) as refusal:
        client.chat.completions.create(model="fake-smal", messages=QUESTION)
    assert refusal.value.code == "model_not_found"
    assert refusal.value.param == "model"
    assert refusal.value.request_id.startswith("req_")
    assert "fake-small" in refusal.value.message


def test_the_vendors_rate_limit_keeps_its_retry_after(client, record_of):
    with pytest.raises(RateLimitError) as refusal:
        client.chat.completions.create(model="fault:rate-limited", messages=QUESTION)
    assert refusal.value.response.headers["retry-after"] == "7"
    assert refusal.value.response.headers["retry-after-ms"] == "7000"
    assert refusal.value.code == "rate_limit_exceeded"
    record = record_of(refusal.value.request_id)
    assert (record["status"], record["http_status"], record["error"]) == ("failed", 429, "upstream_rate_limited")


def test_the_vendors_refusal_keeps_its_words_and_param(client):
    with pytest.raises(BadRequestError) as refusal:
        client.chat.completions.create(model="fault:bad-request", messages=QUESTION)
    assert refusal.value.param == "messages[0].role"
    assert refusal.value.code == "invalid_value"
    assert "wizard" in refusal.value.message
    assert refusal.value.request_id.startswith("req_")


def test_the_gateways_own_refusal_names_the_field(client):
    with pytest.raises(BadRequestError) as refusal:
        client.chat.completions.create(model="fake-small", messages="Hello?")
    assert refusal.value.param == "messages"


def test_the_operators_fault_is_a_server_error_that_tells_nothing(client):
    with pytest.raises(InternalServerError) as failure:
        client.chat.completions.create(model="fault:unauthorized", messages=QUESTION)
    assert failure.value.status_code == 502
    assert failure.value.code == "upstream_unauthorized"
    assert "127.0.0.1" not in failure.value.message


def test_a_stream_that_breaks_raises_after_its_first_words(client, record_of):
    stream = client.chat.completions.create(model="fault:reset", messages=QUESTION, stream=True)
    words = []
    with pytest.raises(APIError) as failure:
        for chunk in stream:
            words.append(chunk.choices[0].delta.content)
    assert "".join(word for word in words if word) != ""
    assert failure.value.code == "upstream_disconnected"
    assert record_of(stream.response.headers["x-request-id"])["status"] == "failed"


def test_a_stream_that_is_left_is_cancelled(client, record_of):
    with client.chat.completions.create(model="fault:endless-stream", messages=QUESTION, stream=True) as stream:
        assert next(iter(stream)).choices[0].delta.role == "assistant"
    record = record_of(stream.response.headers["x-request-id"])
    assert (record["status"], record["error"]) == ("cancelled", "client_closed_request")
