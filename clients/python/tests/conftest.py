import importlib
import json
import os
import time

import openai
import pytest

from headgate import AsyncHeadgate, Headgate

# Seconds; no answer here takes one.
TIMEOUT = 20.0

ANSWER = "Hello from a vendor that does not exist."
QUESTION = [{"role": "user", "content": "Hello?"}]

# What the official client of this run sends with.
http = importlib.import_module("httpx2" if openai.__version__.startswith("3.") else "httpx")


@pytest.fixture
def client():
    with Headgate(max_retries=0, timeout=TIMEOUT) as made:
        yield made


@pytest.fixture
async def async_client():
    async with AsyncHeadgate(max_retries=0, timeout=TIMEOUT) as made:
        yield made


@pytest.fixture
def environment():
    """What run.ts has made for the tests."""
    return os.environ.__getitem__


@pytest.fixture
def paged(environment):
    """The key, and its id, that has ten thousand records."""
    return json.loads(environment("HEADGATE_TEST_PAGED"))


@pytest.fixture
def record_of(client):
    """The usage record of a request, once it is settled: the answer to a caller who left is settled after it left."""

    def find(request_id):
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                return client.usage.retrieve(request_id)
            except openai.NotFoundError:
                continue
        raise AssertionError(f"no record of {request_id}")

    return find


@pytest.fixture
def answering():
    """Clients whose requests are answered here, one reply after the other, and kept: what is sent, and where to."""

    def made(kind, *replies, **options):
        requests = []
        left = list(replies)

        def handle(request):
            requests.append(request)
            status, headers, body = left.pop(0) if len(left) > 1 else left[0]
            return http.Response(status, headers=headers, json=body)

        transport = http.MockTransport(handle)
        sender = http.Client if kind is Headgate else http.AsyncClient
        options = {"api_key": "hg_test", **options}
        return kind(http_client=sender(transport=transport), **options), requests

    return made


COMPLETION = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}
