"""Errors that mean something of their own at a gateway: subclasses of the official client's errors for their status."""

from __future__ import annotations

from typing import Any

from openai import APIStatusError, InternalServerError, NotFoundError, RateLimitError

__all__ = ["BudgetExceededError", "ModelNotFoundError", "OverloadedError"]

#: The codes of a gateway, or of all who could serve the call, that can take no more of them at this moment.
_OVERLOADED = frozenset({"overloaded", "provider_busy", "no_target_available"})


class BudgetExceededError(RateLimitError):
    """429 `insufficient_quota`: the key has reached its spend limit, or its product its budget. No waiting helps."""


class ModelNotFoundError(NotFoundError):
    """404 `model_not_found`: nobody serves a model of this name to this key."""

    near: tuple[str, ...]
    """The names nearest to it that this key may use, the nearest first; none where nothing looks like it."""

    def __init__(self, message: str, *, response: Any, body: object | None) -> None:
        super().__init__(message, response=response, body=body)
        near = body.get("near") if isinstance(body, dict) else None
        self.near = tuple(name for name in near if isinstance(name, str)) if isinstance(near, list) else ()


class OverloadedError(InternalServerError):
    """503: the gateway, or everyone who could serve the call, is too busy to take it now. It may succeed later."""

    retry_after_seconds: float | None
    """How long to wait before the call is sent again, where that is known."""

    def __init__(self, message: str, *, response: Any, body: object | None) -> None:
        super().__init__(message, response=response, body=body)
        self.retry_after_seconds = retry_after_seconds(response.headers)


def named(error: APIStatusError) -> APIStatusError:
    """The error as the class of this library that says what it means, or as it is."""
    kind: type[BudgetExceededError] | type[ModelNotFoundError] | type[OverloadedError]
    if error.code == "insufficient_quota" and isinstance(error, RateLimitError):
        kind = BudgetExceededError
    elif error.code == "model_not_found" and isinstance(error, NotFoundError):
        kind = ModelNotFoundError
    elif error.code in _OVERLOADED and error.status_code == 503:
        kind = OverloadedError
    else:
        return error
    return kind(error.message, response=error.response, body=error.body)


def retry_after_seconds(headers: Any) -> float | None:
    """What `retry-after-ms` or `retry-after` says, in seconds; `None` where neither is a number."""
    for name, units in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            return float(headers[name]) / units
        except (KeyError, ValueError):
            continue
    return None
