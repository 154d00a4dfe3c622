"""What the methods of a client ask for, told by calling each of them."""

import asyncio
import inspect
import re

from conftest import http

import headgate

#: The resources that lead to operations of a gateway: the official client's and ours.
RESOURCES = ["admin", "webhooks", "chat", "responses", "embeddings", "models"]
OWN = ["catalog", "usage", "routes", "feedback", "settings", "status"]
#: Helpers that do more than to ask once.
HELPERS = {"parse", "stream", "unwrap", "verify_signature", "connect", "with_raw_response", "with_streaming_response"}


def operations_of(paths):
    """Of an OpenAPI document: each path, with its operation as `calls_of` tells them."""
    for path, methods in paths.items():
        for method in methods:
            yield path, f"{method.upper()} {re.sub(r'{[^}]*}', 'x', path)}"


def calls_of(kind):
    """What the methods of a client of this class ask for, with `x` for each id: `POST /v1/organization/budgets/x`."""
    calls = set()

    def handle(request):
        calls.add(f"{request.method} {request.url.path}")
        return http.Response(200, json={})

    sender = http.Client if kind is headgate.Headgate else http.AsyncClient
    transport = http.MockTransport(handle)
    client = kind(api_key="k", admin_api_key="a", base_url="http://gateway", http_client=sender(transport=transport))
    asyncio.run(_call_all([getattr(client, name) for name in RESOURCES + OWN if hasattr(client, name)]))
    return calls


async def _call_all(resources):
    for resource in resources:
        names = [name for name in dir(type(resource)) if not name.startswith("_") and name not in HELPERS]
        members = [getattr(resource, name) for name in names]
        for method in filter(inspect.ismethod, members):
            await _call(method)
        await _call_all([each for each in members if hasattr(type(each), "with_raw_response")])


async def _call(method):
    """Calls it with an `x` for each argument that it needs."""
    needed = [each for each in inspect.signature(method).parameters.values() if each.default is inspect.Parameter.empty]
    places = ["x" for each in needed if each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    named = {each.name: "x" for each in needed if each.kind is inspect.Parameter.KEYWORD_ONLY}
    try:
        called = method(*places, **named)
        if hasattr(called, "last_event_id"):
            called = called.connect()
        if inspect.isawaitable(called):
            await called
    except Exception:
        # It needs other arguments, or another answer. Whether they were right is seen in what was asked for.
        pass
