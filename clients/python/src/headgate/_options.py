"""What a client is made with: keys, an address and what the official client takes beside them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from openai import OpenAIError
from typing_extensions import TypedDict

if TYPE_CHECKING:
    from openai import NotGiven, Timeout

__all__ = ["Options", "parent_options"]

API_KEY = "HEADGATE_API_KEY"
ADMIN_KEY = "HEADGATE_ADMIN_KEY"
BASE_URL = "HEADGATE_BASE_URL"
#: Where a gateway serves that was started without a word.
LOCAL = "http://127.0.0.1:8080"

#: Asks for the cost in the last usage of a stream.
INCLUDE_COST = {"service-include-cost": "true"}


class Options(TypedDict, total=False):
    """What the official client takes beside keys, address and `http_client`; see its documentation."""

    organization: str | None
    project: str | None
    webhook_secret: str | None
    websocket_base_url: str | None
    timeout: float | Timeout | NotGiven | None
    max_retries: int
    default_headers: Mapping[str, str] | None
    default_query: Mapping[str, object] | None


class _Key(str):
    """A key that does not show where an object is printed with its members, as debuggers and reporters of errors do."""

    def __repr__(self) -> str:
        return "'***'"


class _Keys:
    """A function that gives a key, each time as one that does not show."""

    def __init__(self, give: Callable[[], str | Awaitable[str]]) -> None:
        self._give = give

    def __call__(self) -> _Key | Awaitable[_Key]:
        given = self._give()
        return _key("api_key", given) if isinstance(given, str) else _awaited(given)


async def _awaited(given: Awaitable[str]) -> _Key:
    return _key("api_key", await given)


#: Whoever sends a key that no header can have is told so with the key in the text, by what sends it.
_SENDABLE = re.compile(r"[\x21-\x7e]*")


def _key(name: str, key: str) -> _Key:
    if _SENDABLE.fullmatch(key) is None:
        raise OpenAIError(f"`{name}` has a space, a line break or another character that no key has.")
    return _Key(key)


def parent_options(
    api_key: Any, admin_api_key: str | None, base_url: Any, options: Mapping[str, Any]
) -> dict[str, Any]:
    """
    What the official client is made with. No key or address of OpenAI's own environment is in it: they are not for a
    gateway.

    Raises:
        OpenAIError: there is no key, or one with characters that no header may have.
    """
    if api_key is None:
        api_key = _environment(API_KEY)
    if admin_api_key is None:
        admin_api_key = _environment(ADMIN_KEY)
    enforced = options.get("_enforce_credentials", True) and options.get("workload_identity") is None
    if not api_key and not admin_api_key and enforced:
        raise OpenAIError(f"There is no key: pass `api_key`, or set {API_KEY} (for administration {ADMIN_KEY}).")
    return {
        **options,
        # Where it is `None`, the official client would take OpenAI's own.
        "api_key": _Keys(api_key) if callable(api_key) else _key("api_key", api_key or ""),
        "admin_api_key": _key("admin_api_key", admin_api_key or ""),
        "base_url": _address(base_url),
        "default_headers": dict(options.get("default_headers") or {}),
    }


def settle(client: Any, made_with: Mapping[str, Any]) -> None:
    """Takes out of a new client what the official one has read of OpenAI's environment: it is not for a gateway."""
    client.admin_api_key = client.admin_api_key or None
    client.organization = made_with.get("organization")
    client.project = made_with.get("project")
    # `OPENAI_CUSTOM_HEADERS` may hold what is for OpenAI alone.
    client._custom_headers = made_with["default_headers"]


def refuse_browsers(is_allowed: bool) -> None:
    """
    Raises:
        OpenAIError: this Python runs in a browser.
    """
    if sys.platform == "emscripten" and not is_allowed:
        raise OpenAIError(
            "A key is a secret, and everyone who opens a page can read what its programs hold: call the gateway from a "
            "server. Where every reader may have the key, pass `dangerously_allow_browser=True`."
        )


def _address(base_url: Any) -> str:
    """The address with `/v1` at its end, whether it came with it or not."""
    address = str(base_url or _environment(BASE_URL) or LOCAL).rstrip("/")
    return address if address.endswith("/v1") else f"{address}/v1"


def _environment(name: str) -> str | None:
    return os.environ.get(name, "").strip() or None
