"""What the gateway says of an answer beside the answer: who served it, what is left of the limits, what it cost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

__all__ = ["Gateway", "RateLimit", "gateway"]

#: Where an answer keeps the headers that it came with.
_HEADERS = "_headgate_headers"
#: Where a response keeps what its stream has said of its cost.
_COST = "headgate_cost_usd"
#: The names of the gateway's own headers begin with a word that its operator chooses; this is how one of them goes on.
_PROCESSING = "-processing-ms"
_DEFAULT_PREFIX = "service"
#: Seconds in the units in which durations are written: `6m0s`, `1.182s`, `20ms`.
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_DURATION = re.compile(rf"(?:{_PART.pattern})+")


@dataclass(frozen=True)
class RateLimit:
    """What the key may use in a minute, and what of it is left. `None` where the answer does not say it."""

    limit_requests: int | None
    remaining_requests: int | None
    reset_requests_seconds: float | None
    """Seconds until all requests are there again."""
    limit_tokens: int | None
    remaining_tokens: int | None
    reset_tokens_seconds: float | None
    """Seconds until all tokens are there again."""


@dataclass(frozen=True)
class Gateway:
    """What the gateway says of one answer. A member is `None` where the answer does not say it."""

    request_id: str | None
    """The id under which `usage.retrieve` finds the call."""
    organization: str | None
    version: str | None
    """The version of the HTTP API."""
    processing_ms: int | None
    """Milliseconds until the answer began."""
    rate_limit: RateLimit
    model: str | None
    """The vendor's name of the model that answered."""
    provider: str | None
    """Who answered; `None` also for a route that does not tell."""
    route: str | None
    """The route that chose who answers."""
    attempts: int | None
    """How often a provider was asked."""
    dropped: tuple[str, ...]
    """What of the call could not be carried over to the format of who answered."""
    cost_usd: float | None
    """Dollars. Of a stream it is known after its end, where `include_cost` asked for it."""


def gateway(answer: object) -> Gateway:
    """
    Tells what the gateway said of an answer: who served it, in how many attempts, what is left of the limits, what it
    cost.

    Of a stream all but the cost is known before its first chunk. The cost is known after its last one, where the client
    was made with `include_cost=True` and the stream tells its usage: chat completions do where
    `stream_options={"include_usage": True}` asks for it, responses always.

    An answer that another client parsed, such as Anthropic's, keeps only its request's id: ask that client with
    `with_raw_response` for the rest.

    Args:
        answer: what a method of a client returned, parsed or raw; a stream; an error with a status; a message of
            LangChain that was asked with `include_response_headers=True`; or the headers alone.

    Raises:
        TypeError: it is none of these.
    """
    headers, cost = _found(answer)
    prefix = _prefix(headers)
    own = {name: headers.get(f"{prefix}-{name}") for name in _OWN}
    told = own["cost-usd"]
    return Gateway(
        request_id=headers.get("x-request-id"),
        organization=_text(own["organization"]),
        version=own["version"],
        processing_ms=_integer(own["processing-ms"]),
        rate_limit=RateLimit(
            limit_requests=_integer(headers.get("x-ratelimit-limit-requests")),
            remaining_requests=_integer(headers.get("x-ratelimit-remaining-requests")),
            reset_requests_seconds=_seconds(headers.get("x-ratelimit-reset-requests")),
            limit_tokens=_integer(headers.get("x-ratelimit-limit-tokens")),
            remaining_tokens=_integer(headers.get("x-ratelimit-remaining-tokens")),
            reset_tokens_seconds=_seconds(headers.get("x-ratelimit-reset-tokens")),
        ),
        model=_text(own["model"]),
        provider=_text(own["provider"]),
        route=_text(own["route"]),
        attempts=_integer(own["attempts"]),
        dropped=tuple(unquote(name) for name in (own["dropped"] or "").split(", ") if name != ""),
        cost_usd=float(told) if told is not None else cost,
    )


_OWN = ("organization", "version", "processing-ms", "model", "provider", "route", "attempts", "dropped", "cost-usd")


def keep_headers(answer: object, response: Any) -> None:
    """Has an answer keep the headers that it came with: pydantic lets an object keep in `__dict__` what is no field."""
    kept = getattr(answer, "__dict__", None)
    if kept is not None and hasattr(answer, "model_fields_set"):
        kept[_HEADERS] = response.headers


def keep_cost(data: Mapping[str, Any], response: Any) -> None:
    """Keeps what an event of a stream says of its cost, in `usage` of its own or of the response that it tells."""
    usage = data.get("usage")
    if usage is None and isinstance(told := data.get("response"), dict):
        usage = told.get("usage")
    if isinstance(usage, dict) and isinstance(cost := usage.get("cost"), (int, float)):
        response.extensions[_COST] = float(cost)


def _found(answer: object) -> tuple[Mapping[str, str], float | None]:
    """The headers of an answer by their names in small letters, and the cost that its stream told."""
    if isinstance(answer, Mapping):
        return _small(answer), None
    kept = getattr(answer, "__dict__", {}).get(_HEADERS)
    if kept is not None:
        return _small(kept), None
    # A stream and an error have their response; the helpers that read a stream have it under a name of their own.
    for name in ("response", "_response", "http_response"):
        response = getattr(answer, name, None)
        headers = getattr(response, "headers", None)
        if isinstance(headers, Mapping):
            return _small(headers), getattr(response, "extensions", {}).get(_COST)
    headers = getattr(answer, "headers", None)
    if not isinstance(headers, Mapping):
        metadata = getattr(answer, "response_metadata", None)
        headers = metadata.get("headers") if isinstance(metadata, Mapping) else None
    if isinstance(headers, Mapping):
        return _small(headers), None
    request_id = getattr(answer, "_request_id", None)
    if isinstance(request_id, str):
        return {"x-request-id": request_id}, None
    raise TypeError(
        "gateway() reads an answer of a client, its raw response, its stream, its error or its headers: not "
        + type(answer).__name__
    )


def _small(headers: Mapping[Any, Any]) -> Mapping[str, str]:
    return {str(name).lower(): str(value) for name, value in headers.items()}


def _prefix(headers: Mapping[str, str]) -> str:
    for name in headers:
        if name.endswith(_PROCESSING):
            return name[: -len(_PROCESSING)]
    return _DEFAULT_PREFIX


def _text(value: str | None) -> str | None:
    return None if value is None else unquote(value)


def _integer(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdecimal() else None


def _seconds(duration: str | None) -> float | None:
    """`6m0s` is 360 seconds."""
    if duration is None or _DURATION.fullmatch(duration) is None:
        return None
    return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(duration))
