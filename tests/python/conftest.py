import base64
import struct
import time

import pytest
from openai import AsyncOpenAI, OpenAI

# Seconds; no answer here takes one.
TIMEOUT = 20.0


@pytest.fixture
def client():
    """The official client as anyone makes it: address and key come from the environment."""
    with OpenAI(max_retries=0, timeout=TIMEOUT) as made:
        yield made


@pytest.fixture
def async_client():
    return AsyncOpenAI(max_retries=0, timeout=TIMEOUT)


@pytest.fixture
def usage(client):
    """GET /v1/usage with a query, as JSON."""

    def get(**query):
        return client.get("/usage", cast_to=object, options={"params": query})

    return get


@pytest.fixture
def record_of(usage):
    """The usage record of a request, once it is settled: the answer to a caller who left is settled after it left."""

    def get(request_id):
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            for record in usage(limit=100)["data"]:
                if record["request_id"] == request_id:
                    return record
        raise AssertionError(f"no record of {request_id}")

    return get


@pytest.fixture
def decode_floats():
    """The vector that base64 of little-endian 32-bit floats stands for."""

    def decode(text):
        data = base64.b64decode(text)
        return list(struct.unpack(f"<{len(data) // 4}f", data))

    return decode
