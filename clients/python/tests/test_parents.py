"""What the official client does, it does through ours: in each version that this library allows."""

import json
import time

import openai
import pytest
from conftest import ANSWER, COMPLETION, QUESTION
from pydantic import BaseModel

from headgate import AsyncHeadgate, Headgate

TOOL = {
    "type": "function",
    "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}},
}


class City(BaseModel):
    city: str
    population: int


class GetWeather(BaseModel):
    city: str


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


# Streams


def test_a_stream(client):
    with client.chat.completions.create(model="fake-small", messages=QUESTION, stream=True) as stream:
        assert isinstance(stream, openai.Stream)
        assert text_of(stream) == ANSWER


def test_a_stream_that_is_left_frees_the_gateways_side(client, record_of):
    stream = client.chat.completions.create(model="fault:endless-stream", messages=QUESTION, stream=True)
    next(stream)
    stream.close()
    assert record_of(stream.response.headers["x-request-id"]).status == "cancelled"


async def test_a_cancelled_task_frees_the_gateways_side(async_client, record_of):
    import asyncio

    stream = await async_client.chat.completions.create(model="fault:endless-stream", messages=QUESTION, stream=True)
    await anext(stream)

    async def read():
        async for _ in stream:
            pass

    task = asyncio.create_task(read())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert record_of(stream.response.headers["x-request-id"]).status == "cancelled"


def test_a_stream_that_breaks_is_an_error(client):
    words = []
    with pytest.raises(openai.APIError):
        for chunk in client.chat.completions.create(model="fault:reset", messages=QUESTION, stream=True):
            words.append(chunk)
    assert text_of(words) != ""


def test_the_streaming_helper(client):
    with client.chat.completions.stream(model="fake-small", messages=QUESTION) as stream:
        deltas = [event.delta for event in stream if event.type == "content.delta"]
        assert "".join(deltas) == stream.get_final_completion().choices[0].message.content == ANSWER


async def test_the_asynchronous_streaming_helper(async_client):
    async with async_client.chat.completions.stream(model="fake-small", messages=QUESTION) as stream:
        assert (await stream.get_final_completion()).choices[0].message.content == ANSWER


# Parsed answers and tools


def test_structured_output_is_parsed(client):
    answer = client.chat.completions.parse(model="fake-json", messages=QUESTION, response_format=City)
    assert answer.choices[0].message.parsed == City(city="Paris", population=2102650)


async def test_the_same_of_responses_asynchronously(async_client):
    answer = await async_client.responses.parse(model="fake-json", input="Paris?", text_format=City)
    assert answer.output_parsed == City(city="Paris", population=2102650)


def test_tools_are_called_and_their_arguments_parsed(client):
    whole = client.chat.completions.create(model="fake-tools", messages=QUESTION, tools=[TOOL])
    call = whole.choices[0].message.tool_calls[0]
    assert (call.function.name, json.loads(call.function.arguments)) == ("get_weather", {"city": "Paris"})
    tool = openai.pydantic_function_tool(GetWeather, name="get_weather")
    parsed = client.chat.completions.parse(model="fake-tools", messages=QUESTION, tools=[tool])
    assert parsed.choices[0].message.tool_calls[0].function.parsed_arguments == GetWeather(city="Paris")


# Responses


def test_responses_and_their_helpers(client):
    assert client.responses.create(model="fake-small", input="Hello?").output_text == ANSWER
    with client.responses.stream(model="fake-small", input="Hello?") as stream:
        deltas = [event.delta for event in stream if event.type == "response.output_text.delta"]
        assert "".join(deltas) == stream.get_final_response().output_text == ANSWER
    events = list(client.responses.create(model="fake-small", input="Hello?", stream=True))
    assert [events[0].type, events[-1].type] == ["response.created", "response.completed"]


# Retries, options and copies


def test_what_fails_for_now_is_sent_again(answering):
    broken = (500, {"retry-after-ms": "1"}, {"error": {"message": "m"}})
    made, requests = answering(Headgate, broken, broken, (200, {}, COMPLETION), max_retries=2)
    assert made.chat.completions.create(model="m", messages=[]).choices[0].message.content == "Hi"
    assert [request.headers["x-stainless-retry-count"] for request in requests] == ["0", "1", "2"]
    made, requests = answering(Headgate, broken)
    with pytest.raises(openai.InternalServerError):
        made.with_options(max_retries=1).models.list()
    assert len(requests) == 2


@pytest.mark.parametrize("kind", [Headgate, AsyncHeadgate])
def test_options_of_a_copy(kind):
    made = kind(api_key="hg_a", base_url="http://a", default_headers={"X-A": "1"}, default_query={"q": "1"})
    other = made.with_options(api_key="hg_b", base_url="http://b", timeout=5, default_headers={"X-B": "2"})
    assert (other.api_key, str(other.base_url), other.timeout) == ("hg_b", "http://b/v1/", 5)
    assert (other.default_headers["X-A"], other.default_headers["X-B"], other.default_query) == ("1", "2", {"q": "1"})
    assert other._client is made._client
    with pytest.raises(ValueError, match="mutually exclusive"):
        made.copy(default_headers={}, set_default_headers={})


def test_options_of_one_request(answering):
    made, requests = answering(Headgate, (200, {}, COMPLETION))
    made.chat.completions.create(
        model="m", messages=[], extra_headers={"X-A": "1"}, extra_query={"q": "2"}, extra_body={"z": 3}
    )
    assert requests[0].headers["x-a"] == "1"
    assert requests[0].url.query == b"q=2"
    assert json.loads(requests[0].content)["z"] == 3


# Raw answers


def test_raw_answers(client):
    raw = client.chat.completions.with_raw_response.create(model="fake-small", messages=QUESTION)
    assert (raw.status_code, raw.headers["service-provider"]) == (200, "fake")
    assert raw.parse().choices[0].message.content == ANSWER
    stream = client.chat.completions.with_raw_response.create(model="fake-small", messages=QUESTION, stream=True)
    assert text_of(stream.parse()) == ANSWER
    with client.chat.completions.with_streaming_response.create(model="fake-small", messages=QUESTION) as streamed:
        assert json.loads(b"".join(streamed.iter_bytes()))["object"] == "chat.completion"


async def test_raw_answers_asynchronously(async_client):
    completions = async_client.chat.completions
    raw = await completions.with_raw_response.create(model="fake-small", messages=QUESTION)
    assert raw.parse().choices[0].message.content == ANSWER
    asked = completions.with_streaming_response.create(model="fake-small", messages=QUESTION)
    async with asked as streamed:
        assert (await streamed.parse()).choices[0].message.content == ANSWER


# Lists, embeddings, administration, webhooks


def test_models_and_embeddings(client):
    assert "fake-small" in {model.id for model in client.models.list()}
    assert client.models.retrieve("fake-small").owned_by == "fake"
    vectors = client.embeddings.create(model="text-embedding-3-small", input=["one", "two"])
    assert [len(each.embedding) for each in vectors.data] == [1536, 1536]


async def test_models_asynchronously(async_client):
    assert "fake-small" in [model.id async for model in async_client.models.list()]


def test_lists_of_the_official_client_page_by_themselves(answering):
    def page(ids, more):
        return (200, {}, {"object": "list", "data": [{"id": each} for each in ids], "has_more": more})

    made, requests = answering(Headgate, page("ab", True), page("cd", False))
    assert [each.id for each in made.files.list(limit=2)] == ["a", "b", "c", "d"]
    assert requests[1].url.params["after"] == "b"


def test_administration(answering):
    key = {"object": "organization.admin_api_key", "id": "key_1", "redacted_value": "…"}
    made, requests = answering(Headgate, (200, {}, {"data": [key], "has_more": False}), admin_api_key="hg_admin")
    assert [each.id for each in made.admin.organization.admin_api_keys.list()] == ["key_1"]
    assert (requests[0].url.path, requests[0].headers["authorization"]) == (
        "/v1/organization/admin_api_keys",
        "Bearer hg_admin",
    )


def test_webhooks_are_verified(monkeypatch):
    import base64
    import hashlib
    import hmac

    secret = base64.b64encode(b"a secret of webhooks").decode()
    body = json.dumps({"id": "evt_1", "object": "event", "type": "response.completed", "data": {"id": "resp_1"}})
    sent_at = str(int(time.time()))
    signed = hmac.new(b"a secret of webhooks", f"wh_1.{sent_at}.{body}".encode(), hashlib.sha256).digest()
    headers = {
        "webhook-id": "wh_1",
        "webhook-timestamp": sent_at,
        "webhook-signature": f"v1,{base64.b64encode(signed).decode()}",
    }
    made = Headgate(api_key="hg_a", webhook_secret=f"whsec_{secret}")
    assert made.webhooks.unwrap(body, headers).data.id == "resp_1"
    with pytest.raises(openai.InvalidWebhookSignatureError):
        made.webhooks.unwrap(body + " ", headers)
