"""
Client library of Headgate, a model gateway: OpenAI's official clients with what a gateway adds.

`Headgate` and `AsyncHeadgate` are subclasses of `openai.OpenAI` and `openai.AsyncOpenAI`: all that those do, they do as
it is documented there. `gateway(answer)` tells who served an answer and what it cost.
"""

from __future__ import annotations

from ._client import AsyncHeadgate, Headgate
from ._errors import BudgetExceededError, ModelNotFoundError, OverloadedError
from ._gateway import Gateway, RateLimit, gateway
from ._live import AsyncLiveItems, LiveItems

__all__ = [
    "AsyncHeadgate",
    "AsyncLiveItems",
    "BudgetExceededError",
    "Gateway",
    "Headgate",
    "LiveItems",
    "ModelNotFoundError",
    "OverloadedError",
    "RateLimit",
    "__version__",
    "gateway",
]

__version__ = "0.1.0"
