import itertools
import threading

import pytest
from conftest import QUESTION
from openai import InternalServerError

from headgate import AsyncHeadgate, Headgate, gateway

RECORDS = 10_000


def arrivals(key, stop):
    """New records, one after the other, until it is told to stop."""
    with Headgate(api_key=key) as client:
        while not stop.is_set():
            client.chat.completions.create(model="echo", messages=QUESTION)


@pytest.fixture
def arriving(paged):
    stop = threading.Event()
    thread = threading.Thread(target=arrivals, args=(paged["key"], stop))
    thread.start()
    yield
    stop.set()
    thread.join()


def check(records, first_seen):
    """Each once, newest first, and all that were there when the first page was asked for."""
    ids = [record.id for record in records]
    assert len(ids) == len(set(ids)) >= RECORDS
    assert ids == sorted(ids, reverse=True)
    assert ids[0] >= first_seen


def newest(client, key_id):
    return next(iter(client.usage.list(api_key_id=key_id, limit=1))).id


def test_ten_thousand_records_come_each_once_while_new_ones_arrive(client, paged, arriving):
    first = newest(client, paged["id"])
    check(list(client.usage.list(api_key_id=paged["id"])), first)


async def test_the_asynchronous_client_pages_too(client, async_client, paged, arriving):
    first = newest(client, paged["id"])
    check([record async for record in async_client.usage.list(api_key_id=paged["id"])], first)


def test_pages_can_be_walked_by_hand(client, paged):
    page = client.usage.list(api_key_id=paged["id"], limit=7)
    assert (len(page.data), page.has_more, page.has_next_page()) == (7, True, True)
    following = page.get_next_page()
    assert following.data[0].id < page.data[-1].id
    assert len(list(itertools.islice(page.iter_pages(), 3))) == 3


def test_a_record_whole(client):
    answer = client.chat.completions.create(model="fake-small", messages=QUESTION)
    request_id = gateway(answer).request_id
    record = client.usage.retrieve(request_id)
    assert record.object == "usage_record"
    assert (record.request_id, record.total_tokens, record.status) == (request_id, 17, "succeeded")
    assert [attempt.provider for attempt in record.attempt_details] == ["fake"]
    assert client.usage.retrieve(record.id).id == record.id


def test_a_summary(client, paged):
    summary = client.usage.summary(by="key,model", api_key_id=paged["id"])
    assert summary.data[0].api_key_id == paged["id"]
    assert summary.totals.calls >= RECORDS
    assert summary.totals.previous.calls == 0


def test_the_catalog(client):
    entries = {entry.id: entry for entry in client.catalog.list(provider="fake")}
    assert entries["fake-small"].pricing.input_per_1m == 1.5
    assert {entry.provider for entry in entries.values()} == {"fake"}
    assert [entry.id for entry in client.catalog.list(provider="fake", search="EMBEDDING-3")] == [
        "text-embedding-3-small"
    ]


def test_one_model_of_the_catalog(client):
    assert client.catalog.retrieve("fake/fake-small").pricing.output_per_1m == 6


def test_the_routes(client):
    assert [(route.id, route.origin) for route in client.routes.list()] == [("acme/fast", "smart_route")]


def test_a_route_explains_itself(client):
    decision = client.routes.explain("acme/fast", body={"messages": QUESTION})
    assert decision.route == "acme/fast"
    assert [target.upstream_model for target in decision.order] == ["fake-small"]


def test_feedback(client):
    answer = client.chat.completions.create(model="acme/fast", messages=QUESTION)
    request_id = gateway(answer).request_id
    kept = client.feedback.create(request_id=request_id, score=0.5, note="good")
    assert (kept.request_id, kept.score, kept.note, kept.route) == (request_id, 0.5, "good", "acme/fast")


def test_the_status_is_an_administrators(client):
    status = client.status.retrieve()
    assert status.object == "status"
    assert status.process.workers >= 1


async def test_the_asynchronous_client_has_them_all():
    async with AsyncHeadgate() as client:
        assert [entry.id async for entry in client.catalog.list(search="fake-small")] != []
        assert [route.id async for route in client.routes.list()] == ["acme/fast"]
        assert (await client.catalog.retrieve("fake-small")).id == "fake-small"
        answer = await client.chat.completions.create(model="acme/fast", messages=QUESTION)
        request_id = gateway(answer).request_id
        assert (await client.usage.retrieve(request_id)).request_id == request_id
        assert (await client.usage.summary()).totals.calls > 0
        assert (await client.routes.explain("acme/fast", body={"messages": QUESTION})).route == "acme/fast"
        assert (await client.feedback.create(request_id=request_id, score=1)).score == 1
        assert (await client.status.retrieve()).object == "status"


def test_members_that_are_not_known_yet_are_there(answering):
    made, _ = answering(Headgate, (200, {}, {"object": "status", "process": {"version": "9"}, "news": 5}))
    status = made.status.retrieve()
    assert (status.news, status.process.version) == (5, "9")


def test_ids_are_one_step_of_a_path(answering):
    made, requests = answering(Headgate, (200, {}, {}))
    made.usage.retrieve("a/../b?c")
    assert requests[0].url.raw_path == b"/v1/usage/a%2F..%2Fb%3Fc"
    with pytest.raises(ValueError, match="id"):
        made.usage.retrieve("")
    for elsewhere in (".", ".."):
        with pytest.raises(ValueError, match="credential_id"):
            made.settings.providers.credentials.delete("lab", elsewhere)
    assert len(requests) == 1


FAILED = (502, {"retry-after-ms": "1"}, {})


def test_a_change_of_settings_is_sent_once(answering):
    made, requests = answering(Headgate, FAILED, max_retries=1, admin_api_key="a")
    for change in (
        lambda: made.settings.projects.api_keys.create("proj_1", name="nightly"),
        lambda: made.admin.organization.projects.create(name="search"),
    ):
        with pytest.raises(InternalServerError):
            change()
    assert len(requests) == 2
    for look in (lambda: made.settings.budgets.retrieve("budget_1"), lambda: made.models.list()):
        with pytest.raises(InternalServerError):
            look()
    assert len(requests) == 6


async def test_so_it_is_by_the_asynchronous_client(answering):
    made, requests = answering(AsyncHeadgate, FAILED, max_retries=1, admin_api_key="a")
    with pytest.raises(InternalServerError):
        await made.settings.projects.api_keys.create("proj_1", name="nightly")
    assert len(requests) == 1
