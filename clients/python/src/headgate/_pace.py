"""Waiting for the rate limit's window instead of failing."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping

from openai import RateLimitError

from ._errors import BudgetExceededError, retry_after_seconds

__all__ = ["Pacer", "is_of_a_window"]

#: Limits are of a minute.
_WINDOW_SECONDS = 60.0
#: The longest that a call waits in all with `pace=True`, in seconds.
MOST_WAITED_SECONDS = 600.0
#: How long a refused call waits where the answer does not say it, in seconds.
_UNKNOWN_WAIT_SECONDS = 1.0
#: The longest that a wait is stretched, so that several processes do not all come at the same moment, in seconds.
_MOST_STRETCH_SECONDS = 0.25


class Pacer:
    """
    Gives the calls of one key their turns. Clients that were copied from one another share it; threads may.

    Args:
        most_seconds: the longest that a call waits in all
        now: seconds of a clock that never goes back
        draw: a random number from 0 to 1
    """

    def __init__(
        self,
        most_seconds: float,
        now: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self.most_seconds = most_seconds
        self._now = now
        self._draw = draw
        self._lock = threading.Lock()
        #: Until then a call would be refused.
        self._free_at = 0.0
        #: How far apart the turns are of calls that wait.
        self._apart = 0.0

    def deadline(self) -> float:
        """Until when a call that begins now may wait, by the clock."""
        return self._now() + self.most_seconds

    def turn(self, deadline: float) -> float | None:
        """Takes the next turn: the seconds to wait for it, or `None` where it would come after the deadline."""
        with self._lock:
            now = self._now()
            if max(now, self._free_at) > deadline:
                return None
            if self._free_at <= now:
                return 0.0
            wait = self._free_at - now
            self._free_at += self._apart
        return wait + min(wait, _MOST_STRETCH_SECONDS) * self._draw()

    def seen(self, headers: Mapping[str, str]) -> None:
        """Notes what an answer says: after one that took the last request of the window the next waits."""
        limit, remaining = (headers.get(f"x-ratelimit-{name}-requests") for name in ("limit", "remaining"))
        with self._lock:
            if limit is not None and limit.isdecimal() and limit != "0":
                self._apart = _WINDOW_SECONDS / int(limit)
            if remaining == "0":
                self._free_at = max(self._free_at, self._now() + self._apart)

    def refused(self, error: RateLimitError) -> None:
        """Notes a call that was refused: none is sent before the time that its answer names."""
        wait = retry_after_seconds(error.response.headers)
        self.seen(error.response.headers)
        with self._lock:
            self._free_at = max(self._free_at, self._now() + (_UNKNOWN_WAIT_SECONDS if wait is None else wait))


def is_of_a_window(error: RateLimitError) -> bool:
    """Whether the same call may succeed in a later window: not where a budget is spent, or the call is too large."""
    return not isinstance(error, BudgetExceededError) and error.response.headers.get("x-should-retry") != "false"
