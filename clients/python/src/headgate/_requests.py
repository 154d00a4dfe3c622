"""What the gateway's own operations are sent with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from openai import Omit
from openai._base_client import AsyncPaginator as AsyncPages
from openai._base_client import make_request_options
from typing_extensions import TypedDict

if TYPE_CHECKING:
    from openai import NotGiven, Timeout

__all__ = ["AsyncPages", "Extras", "administration", "any_key", "given", "path", "sent", "sent_once", "written"]


class Extras(TypedDict, total=False):
    """What each method takes beside its own arguments, as those of the official client do."""

    extra_headers: Mapping[str, str] | None
    extra_query: Mapping[str, object] | None
    extra_body: object | None
    timeout: float | Timeout | NotGiven | None


def sent(query: Mapping[str, object], security: Mapping[str, bool], **request: Any) -> Any:
    """The options of a request, for the official client's own methods."""
    return make_request_options(query=query, security=security, **request)  # type: ignore[arg-type]


def given(**members: object) -> dict[str, object]:
    """Those members of a query that are not left out."""
    return {name: value for name, value in members.items() if value is not None}


def written(**members: object) -> dict[str, object]:
    """Those members of a body that are not left out: `None` is a value of its own there."""
    return {name: value for name, value in members.items() if not isinstance(value, Omit)}


def any_key() -> dict[str, bool]:
    """The client's key; the administrator's, where it has no other."""
    return {"bearer_auth": True, "admin_api_key_auth": True}


def administration(client: Any) -> dict[str, bool]:
    """The administrator's key; the client's, where it has no other: that may be an administrator's, too."""
    return {"admin_api_key_auth": True} if client.admin_api_key else {"bearer_auth": True}


_SETTINGS = re.compile(r"/(organization|projects|webhook_endpoints)(/|$)")


def sent_once(options: Any) -> Any:
    """
    The options of a request, by which a change of settings is not sent again: if only the answer was lost, there would
    be two of it.
    """
    changes = options.method.lower() == "post" and _SETTINGS.match(options.url)
    return options.model_copy(update={"max_retries": 0}) if changes else options


def path(template: str, **ids: str) -> str:
    """
    A path with its ids in it: a slash in an id is no slash of the path.

    Raises:
        ValueError: an id is empty, or `.` or `..`, which would lead to another path.
    """
    for name, value in ids.items():
        if not value:
            raise ValueError(f"Expected a non-empty value for `{name}` but received {value!r}")
        if value in (".", ".."):
            raise ValueError(f"`{name}` must be an id, not {value!r}")
        template = template.replace(f"{{{name}}}", quote(value, safe=""))
    return template
