import anthropic
import openai
import pytest
from conftest import ANSWER, COMPLETION, QUESTION
from pydantic import BaseModel

from headgate import Gateway, Headgate, gateway

ASK_USAGE = {"include_usage": True}
COST = (9 * 1.5 + 8 * 6) / 1e6


class City(BaseModel):
    city: str
    population: int


def check(told: Gateway, cost=COST, model="fake-small"):
    assert told.request_id.startswith("req_")
    assert told.organization
    assert told.version == "v1"
    assert told.processing_ms >= 0
    assert (told.model, told.provider, told.route) == (model, "fake", None)
    assert (told.attempts, told.dropped, told.cost_usd) == (1, (), cost)
    limit = told.rate_limit
    assert 0 < limit.remaining_requests <= limit.limit_requests == 1_000_000
    assert 0 < limit.remaining_tokens <= limit.limit_tokens
    assert 0 <= limit.reset_requests_seconds < 60
    assert 0 <= limit.reset_tokens_seconds < 60


def ask(client, **options):
    return client.chat.completions.create(model="fake-small", messages=QUESTION, **options)


def test_a_whole_answer(client, record_of):
    answer = ask(client)
    check(gateway(answer))
    record = record_of(gateway(answer).request_id)
    assert record.cost_usd == gateway(answer).cost_usd


def test_an_answer_is_as_the_official_client_gives_it(client):
    answer = ask(client)
    with openai.OpenAI(api_key=client.api_key, base_url=client.base_url) as official:
        theirs = ask(official)
    assert type(answer) is type(theirs)
    fresh = {"id", "created"}
    assert answer.model_dump(exclude=fresh) == theirs.model_dump(exclude=fresh)
    assert answer.to_json() == answer.model_validate_json(answer.to_json()).to_json()
    assert "headers" not in repr(answer)
    assert answer._request_id == gateway(answer).request_id


def test_a_stream_before_its_first_chunk_and_after_its_last(client):
    stream = ask(client.with_options(include_cost=True), stream=True, stream_options=ASK_USAGE)
    check(gateway(stream), cost=None)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
    assert text == ANSWER
    check(gateway(stream))


def test_a_stream_that_tells_no_usage_tells_no_cost(client):
    stream = ask(client.with_options(include_cost=True), stream=True)
    assert len(list(stream)) > 1
    check(gateway(stream), cost=None)


async def test_asynchronous_answers(async_client):
    check(gateway(await ask(async_client)))
    stream = await ask(async_client.with_options(include_cost=True), stream=True, stream_options=ASK_USAGE)
    check(gateway(stream), cost=None)
    assert len([chunk async for chunk in stream]) > 1
    check(gateway(stream))
    raw = await async_client.chat.completions.with_raw_response.create(model="fake-small", messages=QUESTION)
    check(gateway(raw))
    check(gateway(raw.parse()))


def test_the_helper_that_puts_a_stream_together(client):
    telling = client.with_options(include_cost=True)
    with telling.chat.completions.stream(model="fake-small", messages=QUESTION, stream_options=ASK_USAGE) as stream:
        check(gateway(stream), cost=None)
        stream.until_done()
        check(gateway(stream))


def test_a_response_and_its_stream(client):
    answer = client.responses.create(model="fake-small", input="Hello?")
    check(gateway(answer))
    telling = client.with_options(include_cost=True)
    with telling.responses.stream(model="fake-small", input="Hello?") as stream:
        assert stream.get_final_response().output_text == ANSWER
        check(gateway(stream))


def test_a_parsed_answer(client):
    answer = client.chat.completions.parse(model="fake-json", messages=QUESTION, response_format=City)
    assert answer.choices[0].message.parsed == City(city="Paris", population=2102650)
    check(gateway(answer), model="fake-json", cost=None)


def test_a_raw_answer_and_what_it_parses_to(client):
    raw = client.chat.completions.with_raw_response.create(model="fake-small", messages=QUESTION)
    check(gateway(raw))
    check(gateway(raw.parse()))
    with client.chat.completions.with_streaming_response.create(model="fake-small", messages=QUESTION) as streamed:
        check(gateway(streamed))
        check(gateway(streamed.parse()))


def test_embeddings_and_lists(client):
    vectors = client.embeddings.create(model="text-embedding-3-small", input="one")
    assert gateway(vectors).model == "text-embedding-3-small"
    assert gateway(client.usage.list(limit=1)).request_id.startswith("req_")
    assert gateway(client.models.list()).provider is None


def test_a_route_and_what_was_dropped(client):
    answer = client.chat.completions.create(model="acme/fast", messages=QUESTION)
    assert (gateway(answer).route, gateway(answer).model) == ("acme/fast", "fake-small")
    with anthropic.Anthropic(api_key=client.api_key, base_url=str(client.base_url).removesuffix("/v1/")) as official:
        answer = official.messages.with_raw_response.create(
            model="fake-small", max_tokens=9, messages=QUESTION, extra_body={"top_k": 3}
        )
    assert gateway(answer).dropped == ("top_k",)


def test_an_error(client):
    with pytest.raises(openai.BadRequestError) as refusal:
        client.chat.completions.create(model="fault:bad-request", messages=QUESTION)
    told = gateway(refusal.value)
    assert (told.request_id, told.provider) == (refusal.value.request_id, "fake")


def test_anthropics_answers(client):
    ours = str(client.base_url).removesuffix("/v1/")
    with anthropic.Anthropic(api_key=client.api_key, base_url=ours) as official:
        asked = {"model": "fake-small", "max_tokens": 9, "messages": QUESTION}
        check(gateway(official.messages.with_raw_response.create(**asked)))
        check(gateway(official.messages.create(**asked, stream=True)), cost=None)
        with official.messages.stream(**asked) as stream:
            check(gateway(stream), cost=None)
        whole = gateway(official.messages.create(**asked))
    # That client keeps no more of an answer's headers.
    assert whole.request_id.startswith("req_")
    assert whole.provider is None


HEADERS = {
    "x-request-id": "req_1",
    "acme-processing-ms": "12",
    "acme-organization": "org%C3%A9",
    "acme-cost-usd": "0.0001275",
    "acme-dropped": "top_k, metadata.a%25b",
    "x-ratelimit-reset-requests": "1h6m0.5s",
    "x-ratelimit-reset-tokens": "20ms",
    "x-ratelimit-limit-requests": "many",
}


def test_headers_under_the_operators_own_word(answering):
    made, _ = answering(Headgate, (200, HEADERS, COMPLETION))
    told = gateway(made.chat.completions.create(model="m", messages=[]))
    assert told == gateway(HEADERS)
    assert (told.processing_ms, told.organization, told.cost_usd) == (12, "orgé", 0.0001275)
    assert told.dropped == ("top_k", "metadata.a%b")
    assert (told.rate_limit.reset_requests_seconds, told.rate_limit.reset_tokens_seconds) == (3960.5, 0.02)
    assert told.rate_limit.limit_requests is None
    assert told.model is None


@pytest.mark.parametrize("what", [None, "text", 5, object(), ANSWER.encode()])
def test_what_is_no_answer_is_refused(what):
    with pytest.raises(TypeError, match="gateway"):
        gateway(what)
