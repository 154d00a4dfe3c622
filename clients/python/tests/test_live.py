"""Calls as they end."""

import itertools
import json
import time

import openai
import pytest
from conftest import QUESTION, TIMEOUT, http

from headgate import AsyncHeadgate, Headgate, gateway

HEAD = "retry: 1\nid: 0\nevent: begin\ndata: {}\n\n"
EVENTS = {"content-type": "text/event-stream", "x-request-id": "req_1"}


def item(number):
    return f'id: {number}\ndata: {{"id":"c{number}"}}\n\n'


def skipped(calls):
    return f'event: skipped\ndata: {{"calls":{json.dumps(calls)}}}\n\n'


class Body(http.SyncByteStream, http.AsyncByteStream):
    """Pieces of an answer, and whether the connection was let go."""

    def __init__(self, *pieces, is_cut=False):
        self.pieces = [piece.encode() if isinstance(piece, str) else piece for piece in pieces]
        self.is_cut = is_cut
        self.is_closed = False

    def __iter__(self):
        yield from self.pieces
        if self.is_cut:
            raise http.RemoteProtocolError("peer closed connection")

    async def __aiter__(self):
        for piece in self:
            yield piece

    def close(self):
        self.is_closed = True

    async def aclose(self):
        self.close()


@pytest.fixture
def following():
    """A client of this class whose connections are answered so, in turn, and where each was asked to begin."""

    def made(kind, *answers):
        asked = []

        def handle(request):
            asked.append(request.url.params.get("last_event_id"))
            answer = answers[len(asked) - 1]
            if isinstance(answer, Exception):
                raise answer
            if isinstance(answer, int):
                return http.Response(answer, json={"error": {"message": "No."}})
            return http.Response(200, headers=EVENTS, stream=answer)

        sender = http.Client if kind is Headgate else http.AsyncClient
        transport = http.MockTransport(handle)
        return kind(api_key="k", max_retries=0, http_client=sender(transport=transport)), asked

    return made


def test_items_come_whole_whichever_byte_they_are_cut_at(following):
    whole = (HEAD + item(1) + ": still here\nid: 2\n\n" + item(3).replace("c3", "é")).encode()
    for at in range(1, len(whole)):
        client, _ = following(Headgate, Body(whole[:at], whole[at:]))
        live = client.usage.live()
        assert [call.id for call in itertools.islice(live, 2)] == ["c1", "é"]
        assert live.last_event_id == "3"


ANSWERS = (
    lambda: Body(HEAD, item(1), 'id: 2\ndata: {"i', is_cut=True),
    lambda: 503,
    lambda: http.ConnectError("refused"),
    lambda: Body(f": The gateway is stopping.\nretry: 2\n\n{item(2)}"),
    lambda: 429,
    lambda: Body(item(3)),
)


def test_a_connection_that_is_lost_is_made_again_behind_the_last_item_that_was_read(following):
    client, asked = following(Headgate, *(answer() for answer in ANSWERS))
    assert [call.id for call in itertools.islice(client.usage.live(), 3)] == ["c1", "c2", "c3"]
    assert asked == [None, "1", "1", "1", "2", "2"]


async def test_so_it_is_asynchronously(following):
    client, asked = following(AsyncHeadgate, *(answer() for answer in ANSWERS))
    ids = []
    async for call in client.usage.live():
        ids.append(call.id)
        if len(ids) == 3:
            break
    assert (ids, asked) == (["c1", "c2", "c3"], [None, "1", "1", "1", "2", "2"])


def test_items_that_were_passed_over_are_counted_until_nobody_knows_how_many_they_are(following):
    pieces = (skipped(312), item(1), skipped(8), item(2), skipped(None), item(3), skipped(1), item(4))
    client, _ = following(Headgate, Body(*pieces))
    live = client.usage.live()
    assert [live.skipped for _ in itertools.islice(live, 4)] == [312, 320, None, None]


@pytest.mark.parametrize("refusal", [401, 403])
def test_a_refusal_that_no_wait_helps_is_raised(following, refusal):
    client, asked = following(Headgate, Body(HEAD), refusal)
    with pytest.raises(openai.APIStatusError) as told:
        next(iter(client.usage.live()))
    assert (told.value.status_code, len(asked)) == (refusal, 2)


def test_so_is_any_before_the_first_connection(following):
    for refusal, raised in ((503, openai.InternalServerError), (http.ConnectError("no"), openai.APIConnectionError)):
        client, _ = following(Headgate, refusal)
        with pytest.raises(raised):
            next(iter(client.usage.live()))


def test_leaving_it_lets_the_connection_go(following):
    body = Body(HEAD, item(1), item(2))
    client, _ = following(Headgate, body)
    with client.usage.live() as live:
        assert gateway(live).request_id == "req_1"
        assert [call.id for call in itertools.islice(live, 1)] == ["c1"]
    assert body.is_closed
    assert list(live) == []
    broken = Body(HEAD, item(1), item(2))
    client, _ = following(Headgate, broken)
    for _ in client.usage.live():
        break
    assert broken.is_closed


async def test_so_does_leaving_it_asynchronously(following):
    body = Body(HEAD, item(1), item(2))
    client, _ = following(AsyncHeadgate, body)
    async with client.usage.live() as live:
        assert gateway(live).request_id == "req_1"
        async for call in live:
            assert call.id == "c1"
            break
    assert body.is_closed
    assert [call async for call in live] == []


# Of a gateway.


def test_calls_are_followed_as_they_end(client, paged):
    calling = client.with_options(api_key=paged["key"])
    with client.usage.live(api_key_id=paged["id"], model="fake-small") as live:
        answers = [calling.chat.completions.create(model="fake-small", messages=QUESTION) for _ in range(3)]
        made = [gateway(answer).request_id for answer in answers]
        followed = []
        for call in live:
            assert [attempt.provider for attempt in call.attempt_details] == ["fake"]
            followed.append(call.request_id)
            if len(followed) == len(made):
                break
    assert followed == made
    again = client.usage.live(api_key_id=paged["id"], last_event_id=live.last_event_id)
    answer = calling.chat.completions.create(model="echo", messages=QUESTION)
    assert next(iter(again)).request_id == gateway(answer).request_id


async def test_calls_are_followed_asynchronously(async_client, paged):
    calling = async_client.with_options(api_key=paged["key"])
    async with async_client.usage.live(api_key_id=paged["id"]) as live:
        answer = await calling.chat.completions.create(model="fake-small", messages=QUESTION)
        async for call in live:
            assert call.request_id == gateway(answer).request_id
            break


def connected(client):
    """One more that is connected: a key may have four at once, and one that was left is gone a moment later."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return client.usage.live().connect()
        except openai.RateLimitError:
            if time.monotonic() > deadline:
                raise


def test_calls_that_are_followed_no_more_free_the_gateway(client):
    for _ in range(12):
        connected(client).close()
