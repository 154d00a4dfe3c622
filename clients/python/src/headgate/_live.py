"""Items as they come into being, without an end."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

import anyio
from openai import APIConnectionError, APIStatusError, AsyncStream, Stream, Timeout
from typing_extensions import Self

from ._requests import Extras, any_key, given, sent

__all__ = ["AsyncLiveItems", "LiveItems"]

_Item = TypeVar("_Item")

#: After so many seconds without a byte a connection is lost: the gateway gives a sign of life every 15.
_MOST_SILENCE_SECONDS = 45.0
_CONNECT_SECONDS = 5.0
#: How long a lost connection is left alone where the gateway has not said it, and at most, in seconds.
_RETRY_SECONDS = 1.0
_MOST_RETRY_SECONDS = 30.0
#: By how much a wait is stretched at most: those who were let go together do not come back together.
_STRETCH = 0.25


class _Events(Stream[Any]):
    """The events of one connection, as they come: with their names and ids, which a stream of answers leaves out."""

    def __stream__(self) -> Iterator[Any]:
        try:
            yield from self._iter_events()
        finally:
            self.response.close()


class _AsyncEvents(AsyncStream[Any]):
    async def __stream__(self) -> AsyncIterator[Any]:
        try:
            async for event in self._iter_events():
                yield event
        finally:
            await self.response.aclose()


class _Live(Generic[_Item]):
    last_event_id: str | None
    """The id of the last event that was read: as `last_event_id` of another call it goes on behind it."""
    skipped: int | None
    """How many items were passed over, since more came than the gateway tells; `None` where nobody knows how many."""

    def __init__(
        self, client: Any, path: str, model: type[_Item], query: Mapping[str, object], request: Extras
    ) -> None:
        self._client = client
        self._path = path
        self._model = model
        self._query = query
        self._request = {"timeout": Timeout(_MOST_SILENCE_SECONDS, connect=_CONNECT_SECONDS), **request}
        self._retry_seconds = _RETRY_SECONDS
        self.last_event_id = cast("str | None", query.get("last_event_id"))
        self.skipped = 0

    def _asked(self, events: type[Any]) -> dict[str, Any]:
        query = {**self._query, **given(last_event_id=self.last_event_id)}
        options = sent(query, any_key(), **self._request)
        return {"cast_to": object, "options": options, "stream": True, "stream_cls": events}

    def _items(self, event: Any, response: Any) -> Iterator[_Item]:
        """Notes what an event tells; the item that is in it, where one is."""
        self.last_event_id = event.id or self.last_event_id
        if event.retry is not None:
            self._retry_seconds = event.retry / 1000
        if event.event == "skipped":
            calls = event.json()["calls"]
            self.skipped = None if self.skipped is None or calls is None else self.skipped + calls
        elif event.event is None and event.data:
            yield self._client._process_response_data(data=event.json(), cast_to=self._model, response=response)

    def _wait(self, failures: int) -> float:
        most = min(self._retry_seconds * 2.0**failures, _MOST_RETRY_SECONDS)
        return most * (1 + _STRETCH * random.random())


class LiveItems(_Live[_Item]):
    """
    Items as they come into being, without an end: `for` reads them, and leaving `with` frees the connection.

    The connection is made for the first item, or by `connect` and `with`. One that is lost, or that the gateway ends,
    is made again, behind the last item that was read. A refusal that no retry helps is raised, as is any before the
    first connection.
    """

    _events: _Events | None = None

    def __init__(
        self, client: Any, path: str, model: type[_Item], query: Mapping[str, object], request: Extras
    ) -> None:
        super().__init__(client, path, model, query, request)
        self._is_left = threading.Event()

    @property
    def response(self) -> Any:
        """That of the present connection, for `gateway`; `None` before the first."""
        return self._events and self._events.response

    def connect(self) -> Self:
        """Connects now, so that what comes into being from here on is told."""
        if self._events is None:
            self._events = self._connected()
        return self

    def close(self) -> None:
        """Ends it."""
        self._is_left.set()
        if self._events is not None:
            self._events.close()

    def __iter__(self) -> Iterator[_Item]:
        return self._read()

    def __enter__(self) -> Self:
        return self.connect()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self) -> _Events:
        return cast(_Events, self._client.get(self._path, **self._asked(_Events)))

    def _read(self) -> Iterator[_Item]:
        try:
            self.connect()
            while not self._is_left.is_set():
                events = cast(_Events, self._events)
                for event in _until_lost(events):
                    yield from self._items(event, events.response)
                if not self._is_left.is_set():
                    self._again()
        finally:
            self.close()

    def _again(self) -> None:
        """Connects again, as often as what is in the way may pass."""
        failures = 0
        while not self._is_left.wait(self._wait(failures)):
            try:
                self._events = self._connected()
                return
            except (APIConnectionError, APIStatusError) as error:
                if not _may_pass(error):
                    raise
                failures += 1


class AsyncLiveItems(_Live[_Item]):
    """
    Items as they come into being, without an end: `async for` reads them, and leaving `async with` frees the
    connection.

    The connection is made for the first item, or by `connect` and `async with`. One that is lost, or that the gateway
    ends, is made again, behind the last item that was read. A refusal that no retry helps is raised, as is any before
    the first connection.
    """

    _events: _AsyncEvents | None = None

    def __init__(
        self, client: Any, path: str, model: type[_Item], query: Mapping[str, object], request: Extras
    ) -> None:
        super().__init__(client, path, model, query, request)
        self._is_left = False

    @property
    def response(self) -> Any:
        """That of the present connection, for `gateway`; `None` before the first."""
        return self._events and self._events.response

    async def connect(self) -> Self:
        """Connects now, so that what comes into being from here on is told."""
        if self._events is None:
            self._events = await self._connected()
        return self

    async def close(self) -> None:
        """Ends it."""
        self._is_left = True
        if self._events is not None:
            await self._events.close()

    def __aiter__(self) -> AsyncIterator[_Item]:
        return self._read()

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _connected(self) -> _AsyncEvents:
        return cast(_AsyncEvents, await self._client.get(self._path, **self._asked(_AsyncEvents)))

    async def _read(self) -> AsyncIterator[_Item]:
        try:
            await self.connect()
            while not self._is_left:
                events = cast(_AsyncEvents, self._events)
                async for event in _until_lost_async(events):
                    for item in self._items(event, events.response):
                        yield item
                if not self._is_left:
                    await self._again()
        finally:
            await self.close()

    async def _again(self) -> None:
        failures = 0
        while not self._is_left:
            await anyio.sleep(self._wait(failures))
            try:
                self._events = await self._connected()
                return
            except (APIConnectionError, APIStatusError) as error:
                if not _may_pass(error):
                    raise
                failures += 1


def _losses() -> tuple[type[Exception], ...]:
    """What is raised where a connection is lost: by the official client, or before version 3 by what sends for it."""
    httpx = sys.modules.get("httpx")
    return (APIConnectionError,) if httpx is None else (APIConnectionError, httpx.RequestError)


def _until_lost(events: _Events) -> Iterator[Any]:
    while True:
        try:
            event = next(events)
        except StopIteration:
            return
        except _losses():
            return
        yield event


async def _until_lost_async(events: _AsyncEvents) -> AsyncIterator[Any]:
    while True:
        try:
            event = await events.__anext__()
        except StopAsyncIteration:
            return
        except _losses():
            return
        yield event


def _may_pass(error: APIConnectionError | APIStatusError) -> bool:
    if not isinstance(error, APIStatusError):
        return True
    is_busy = error.status_code == 429 or error.status_code >= 500
    return is_busy and error.response.headers.get("x-should-retry") != "false"
