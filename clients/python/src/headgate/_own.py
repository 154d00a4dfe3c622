# Written from the gateway’s /openapi.json by clients/openapi/python.ts: not to be edited.
"""The properties of both clients that lead to the gateway's own operations. These are imported once they are used."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from .resources import (
        AsyncCatalog,
        AsyncFeedback,
        AsyncRoutes,
        AsyncSettings,
        AsyncStatus,
        AsyncUsage,
        Catalog,
        Feedback,
        Routes,
        Settings,
        Status,
        Usage,
    )

__all__ = ["AsyncOwn", "Own"]


class Own:
    @cached_property
    def catalog(self) -> Catalog:
        """What the gateway has of its own under this name."""
        from .resources import Catalog

        return Catalog(cast(Any, self))

    @cached_property
    def usage(self) -> Usage:
        """What the gateway has of its own under this name."""
        from .resources import Usage

        return Usage(cast(Any, self))

    @cached_property
    def feedback(self) -> Feedback:
        """What the gateway has of its own under this name."""
        from .resources import Feedback

        return Feedback(cast(Any, self))

    @cached_property
    def routes(self) -> Routes:
        """What the gateway has of its own under this name."""
        from .resources import Routes

        return Routes(cast(Any, self))

    @cached_property
    def settings(self) -> Settings:
        """What the gateway has of its own under this name."""
        from .resources import Settings

        return Settings(cast(Any, self))

    @cached_property
    def status(self) -> Status:
        """What the gateway has of its own under this name."""
        from .resources import Status

        return Status(cast(Any, self))


class AsyncOwn:
    @cached_property
    def catalog(self) -> AsyncCatalog:
        """What the gateway has of its own under this name."""
        from .resources import AsyncCatalog

        return AsyncCatalog(cast(Any, self))

    @cached_property
    def usage(self) -> AsyncUsage:
        """What the gateway has of its own under this name."""
        from .resources import AsyncUsage

        return AsyncUsage(cast(Any, self))

    @cached_property
    def feedback(self) -> AsyncFeedback:
        """What the gateway has of its own under this name."""
        from .resources import AsyncFeedback

        return AsyncFeedback(cast(Any, self))

    @cached_property
    def routes(self) -> AsyncRoutes:
        """What the gateway has of its own under this name."""
        from .resources import AsyncRoutes

        return AsyncRoutes(cast(Any, self))

    @cached_property
    def settings(self) -> AsyncSettings:
        """What the gateway has of its own under this name."""
        from .resources import AsyncSettings

        return AsyncSettings(cast(Any, self))

    @cached_property
    def status(self) -> AsyncStatus:
        """What the gateway has of its own under this name."""
        from .resources import AsyncStatus

        return AsyncStatus(cast(Any, self))
