"""The clients: OpenAI's official ones with what a gateway adds."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio
from openai import AsyncOpenAI, OpenAI, RateLimitError
from typing_extensions import Self, Unpack

from ._errors import named
from ._gateway import keep_cost, keep_headers
from ._options import INCLUDE_COST, Options, parent_options, refuse_browsers, settle
from ._own import AsyncOwn, Own
from ._pace import MOST_WAITED_SECONDS, Pacer, is_of_a_window
from ._requests import sent_once

if TYPE_CHECKING:
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

__all__ = ["AsyncHeadgate", "Headgate"]

#: By how much a wait before a retry is stretched at most, so that clients refused together do not come back together.
_STRETCH = 0.1


class _Hooks:
    """
    What both clients add to the inside of the official one. It has these methods in each version that this library
    allows; their arguments are passed on whatever they are.
    """

    _pacer: Pacer | None
    _includes_cost: bool
    _copied: Mapping[str, Any]

    if not TYPE_CHECKING:

        def _make_status_error(self, *args, **options):
            return named(super()._make_status_error(*args, **options))

        def _process_response(self, *, options, response, **others):
            if self._pacer is not None:
                self._pacer.seen(response.headers)
            options.post_parser = _keeping_headers(options.post_parser, response)
            return super()._process_response(options=options, response=response, **others)

        def _process_response_data(self, *, data, response, **others):
            # /!\ Once for each chunk of a stream.
            if type(data) is dict and ("usage" in data or "response" in data):
                keep_cost(data, response)
            return super()._process_response_data(data=data, response=response, **others)

        def _calculate_retry_timeout(self, *args, **options):
            # Never less than `retry-after` says.
            return super()._calculate_retry_timeout(*args, **options) * (1 + _STRETCH * random.random())

        def _should_retry(self, response):
            # What the pacer waits for is not tried again before.
            return not (self._pacer is not None and response.status_code == 429) and super()._should_retry(response)

        def copy(self, *, pace=None, include_cost=None, _extra_kwargs=None, **options):
            told = {"pace": pace, "include_cost": include_cost}
            own = {**self._copied, **{name: value for name, value in told.items() if value is not None}}
            return super().copy(_extra_kwargs={**own, **(_extra_kwargs or {})}, **options)

        with_options = copy

        @property
        def default_headers(self):
            return {**super().default_headers, **INCLUDE_COST} if self._includes_cost else super().default_headers

    def _begin(self, pace: bool | float | Pacer, include_cost: bool, allows_browser: bool) -> None:
        self._pacer = _pacer(pace)
        self._includes_cost = include_cost
        # What a copy is made with beside what the official client copies.
        self._copied = {
            "pace": self._pacer or False,
            "include_cost": include_cost,
            "dangerously_allow_browser": allows_browser,
        }

    def __repr__(self) -> str:
        # An address shows no password that is in it.
        return f"{type(self).__name__}(base_url={self.base_url!r})"  # type: ignore[attr-defined]


class Headgate(Own, _Hooks, OpenAI):
    """
    OpenAI's client, for a Headgate gateway: all that it does, and the gateway's own catalog, usage, routes, feedback
    and status.

    Args:
        api_key: a key of the gateway; left out, `HEADGATE_API_KEY`.
        admin_api_key: an administrator's key, for `admin`; left out, `HEADGATE_ADMIN_KEY`.
        base_url: where the gateway serves, with `/v1` at its end or without; left out, `HEADGATE_BASE_URL`, or else a
            gateway on this machine.
        pace: whether a call waits for the rate limit's window instead of failing with 429: up to ten minutes in all,
            or as many seconds as this says.
        include_cost: whether streams say at their end what they cost. Each piece of one then waits for the next.
        http_client: what sends requests: proxies, transports and certificates are its matter.
        dangerously_allow_browser: whether it may be made in a browser, whose user can read the key.
        options: what the official client takes beside these.

    Raises:
        OpenAIError: there is no key, or one with characters that no header may have; or this is a browser.
    """

    def __init__(
        self,
        *,
        api_key: str | Callable[[], str] | None = None,
        admin_api_key: str | None = None,
        base_url: str | None = None,
        pace: bool | float | Pacer = False,
        include_cost: bool = False,
        http_client: DefaultHttpxClient | None = None,
        dangerously_allow_browser: bool = False,
        **options: Unpack[Options],
    ) -> None:
        refuse_browsers(dangerously_allow_browser)
        made_with = parent_options(api_key, admin_api_key, base_url, options)
        super().__init__(http_client=http_client, **made_with)
        settle(self, made_with)
        self._begin(pace, include_cost, dangerously_allow_browser)

    if TYPE_CHECKING:

        def copy(  # type: ignore[override]
            self,
            *,
            api_key: str | Callable[[], str] | None = None,
            admin_api_key: str | None = None,
            base_url: str | None = None,
            pace: bool | float | None = None,
            include_cost: bool | None = None,
            http_client: DefaultHttpxClient | None = None,
            set_default_headers: Mapping[str, str] | None = None,
            set_default_query: Mapping[str, object] | None = None,
            **options: Unpack[Options],
        ) -> Self:
            """Another client with the same options but for those that are given. Both have one pool of connections."""

        with_options = copy  # type: ignore[assignment]

    else:

        def request(self, cast_to, options, **others):
            options = sent_once(options)
            if self._pacer is None:
                return super().request(cast_to, options, **others)
            return self._paced(super().request, cast_to, options, **others)

    def _paced(self, request: Callable[..., Any], cast_to: Any, options: Any, **others: Any) -> Any:
        deadline = self._pacer.deadline()  # type: ignore[union-attr]
        refusal: RateLimitError | None = None
        while True:
            wait = self._pacer.turn(deadline)  # type: ignore[union-attr]
            if wait is None and refusal is not None:
                raise refusal
            if wait:
                time.sleep(wait)
            try:
                # The official client takes its own words out of the options that it is given.
                return request(cast_to, options.model_copy(), **others)
            except RateLimitError as error:
                refusal = _worth_waiting_for(error, options)
                self._pacer.refused(refusal)  # type: ignore[union-attr]


class AsyncHeadgate(AsyncOwn, _Hooks, AsyncOpenAI):
    """
    OpenAI's asynchronous client, for a Headgate gateway. What it takes and what it adds is as for `Headgate`; its
    methods are awaited, and `usage.list` is read with `async for`.

    Raises:
        OpenAIError: there is no key, or one with characters that no header may have; or this is a browser.
    """

    def __init__(
        self,
        *,
        api_key: str | Callable[[], Awaitable[str]] | None = None,
        admin_api_key: str | None = None,
        base_url: str | None = None,
        pace: bool | float | Pacer = False,
        include_cost: bool = False,
        http_client: DefaultAsyncHttpxClient | None = None,
        dangerously_allow_browser: bool = False,
        **options: Unpack[Options],
    ) -> None:
        refuse_browsers(dangerously_allow_browser)
        made_with = parent_options(api_key, admin_api_key, base_url, options)
        super().__init__(http_client=http_client, **made_with)
        settle(self, made_with)
        self._begin(pace, include_cost, dangerously_allow_browser)

    if TYPE_CHECKING:

        def copy(  # type: ignore[override]
            self,
            *,
            api_key: str | Callable[[], Awaitable[str]] | None = None,
            admin_api_key: str | None = None,
            base_url: str | None = None,
            pace: bool | float | None = None,
            include_cost: bool | None = None,
            http_client: DefaultAsyncHttpxClient | None = None,
            set_default_headers: Mapping[str, str] | None = None,
            set_default_query: Mapping[str, object] | None = None,
            **options: Unpack[Options],
        ) -> Self:
            """Another client with the same options but for those that are given. Both have one pool of connections."""

        with_options = copy  # type: ignore[assignment]

    else:

        async def request(self, cast_to, options, **others):
            options = sent_once(options)
            if self._pacer is None:
                return await super().request(cast_to, options, **others)
            return await self._paced(super().request, cast_to, options, **others)

    async def _paced(self, request: Callable[..., Awaitable[Any]], cast_to: Any, options: Any, **others: Any) -> Any:
        deadline = self._pacer.deadline()  # type: ignore[union-attr]
        refusal: RateLimitError | None = None
        while True:
            wait = self._pacer.turn(deadline)  # type: ignore[union-attr]
            if wait is None and refusal is not None:
                raise refusal
            if wait:
                await anyio.sleep(wait)
            try:
                return await request(cast_to, options.model_copy(), **others)
            except RateLimitError as error:
                refusal = _worth_waiting_for(error, options)
                self._pacer.refused(refusal)  # type: ignore[union-attr]


def _pacer(pace: bool | float | Pacer) -> Pacer | None:
    if isinstance(pace, Pacer):
        return pace
    if pace is False:
        return None
    most = MOST_WAITED_SECONDS if pace is True else float(pace)
    if most < 0:
        raise ValueError("`pace` must be True, False, or the most seconds that a call may wait")
    return Pacer(most)


def _worth_waiting_for(error: RateLimitError, options: Any) -> RateLimitError:
    """Raises the error again where waiting does not help, or where the body was a stream that is now read."""
    if not is_of_a_window(error) or options.files is not None or options.content is not None:
        raise error
    return error


def _keeping_headers(then: Any, response: Any) -> Callable[[Any], Any]:
    """What is to be done with an answer once it is parsed: what was to be done, and that it keeps its headers."""

    def kept(parsed: Any) -> Any:
        answer = then(parsed) if callable(then) else parsed
        keep_headers(answer, response)
        return answer

    return kept
