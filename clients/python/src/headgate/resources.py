# Written from the gateway’s /openapi.json by clients/openapi/python.ts: not to be edited.
"""The gateway's own operations, as the clients have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from openai import Omit, omit
from openai._resource import AsyncAPIResource, SyncAPIResource
from openai.pagination import AsyncCursorPage, AsyncPage, SyncCursorPage, SyncPage
from typing_extensions import Unpack

from . import types as _types
from ._live import AsyncLiveItems, LiveItems
from ._requests import AsyncPages, Extras, administration, any_key, given, path, sent, written

if TYPE_CHECKING:
    from . import raw


class Catalog(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.CatalogWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.CatalogWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.CatalogWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.CatalogWithStreamingResponse(self)

    def info(
        self,
        *,
        litellm_model_id: str | None = None,
        **request: Unpack[Extras],
    ) -> _types.ModelInfoList:
        """
        List the models that the key may use, in LiteLLM's format.

        Args:
            litellm_model_id: Lists only the model with this `model_info.id`.
        """
        return self._get(
            "/model/info",
            cast_to=_types.ModelInfoList,
            options=sent(given(litellm_model_id=litellm_model_id), any_key(), **request),
        )

    def info_at_root(
        self,
        *,
        litellm_model_id: str | None = None,
        **request: Unpack[Extras],
    ) -> _types.ModelInfoList:
        """
        List the models that the key may use, in LiteLLM's format.

        Args:
            litellm_model_id: Lists only the model with this `model_info.id`.
        """
        return self._get(
            "/model/info",
            cast_to=_types.ModelInfoList,
            options=sent(given(litellm_model_id=litellm_model_id), any_key(), **request),
        )

    def list(
        self,
        *,
        provider: str | None = None,
        search: str | None = None,
        **request: Unpack[Extras],
    ) -> SyncPage[_types.CatalogEntry]:
        """
        List the models with their providers, targets and prices.

        Args:
            provider: Only this provider's, by id or label.
            search: Only models with this in the id, a name, an alias or the provider's label; case is ignored.
        """
        return self._get_api_list(
            "/models/catalog",
            page=SyncPage[_types.CatalogEntry],
            options=sent(given(provider=provider, search=search), any_key(), **request),
            model=_types.CatalogEntry,
        )

    def retrieve(
        self,
        id: str,
        **request: Unpack[Extras],
    ) -> _types.CatalogEntry:
        """
        Get one model with its providers, targets and prices.

        Args:
            id: The value for `model`, or an alias. Slashes may be encoded or not.
        """
        return self._get(
            path("/models/catalog/{id}", id=id),
            cast_to=_types.CatalogEntry,
            options=sent(given(), any_key(), **request),
        )


class AsyncCatalog(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncCatalogWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncCatalogWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncCatalogWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncCatalogWithStreamingResponse(self)

    async def info(
        self,
        *,
        litellm_model_id: str | None = None,
        **request: Unpack[Extras],
    ) -> _types.ModelInfoList:
        """
        List the models that the key may use, in LiteLLM's format.

        Args:
            litellm_model_id: Lists only the model with this `model_info.id`.
        """
        return await self._get(
            "/model/info",
            cast_to=_types.ModelInfoList,
            options=sent(given(litellm_model_id=litellm_model_id), any_key(), **request),
        )

    async def info_at_root(
        self,
        *,
        litellm_model_id: str | None = None,
        **request: Unpack[Extras],
    ) -> _types.ModelInfoList:
        """
        List the models that the key may use, in LiteLLM's format.

        Args:
            litellm_model_id: Lists only the model with this `model_info.id`.
        """
        return await self._get(
            "/model/info",
            cast_to=_types.ModelInfoList,
            options=sent(given(litellm_model_id=litellm_model_id), any_key(), **request),
        )

    def list(
        self,
        *,
        provider: str | None = None,
        search: str | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.CatalogEntry, AsyncPage[_types.CatalogEntry]]:
        """
        List the models with their providers, targets and prices.

        Args:
            provider: Only this provider's, by id or label.
            search: Only models with this in the id, a name, an alias or the provider's label; case is ignored.
        """
        return self._get_api_list(
            "/models/catalog",
            page=AsyncPage[_types.CatalogEntry],
            options=sent(given(provider=provider, search=search), any_key(), **request),
            model=_types.CatalogEntry,
        )

    async def retrieve(
        self,
        id: str,
        **request: Unpack[Extras],
    ) -> _types.CatalogEntry:
        """
        Get one model with its providers, targets and prices.

        Args:
            id: The value for `model`, or an alias. Slashes may be encoded or not.
        """
        return await self._get(
            path("/models/catalog/{id}", id=id),
            cast_to=_types.CatalogEntry,
            options=sent(given(), any_key(), **request),
        )


class Usage(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.UsageWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.UsageWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.UsageWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.UsageWithStreamingResponse(self)

    def list(
        self,
        *,
        model: str | None = None,
        source: Literal["api_key", "product", "developer_tool", "console"] | None = None,
        product: str | None = None,
        tool: str | None = None,
        api_key_id: str | None = None,
        status: Literal["succeeded", "failed", "cancelled", "interrupted", "refused"] | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int = 100,
        after: str | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.UsageRecord]:
        """
        List the usage records of the key's organization, newest first. A key reads the records of its organization, its
        project or only its own, according to its `usage`, here and in the other operations. A person's key never reads
        more than the person may.

        Args:
            model: Only this model.
            source: Only keys of this source.
            product: Only this product, by id.
            tool: Only this developer tool, by name.
            api_key_id: Only this key.
            status: Only calls with this status. Refused calls have no usage, and are listed only if asked for.
            start_time: Only calls from this time on (Unix seconds).
            end_time: Only calls before this time (Unix seconds).
            limit: Items of one page: all pages are read.
            after: Id of the last record of the previous page.
        """
        return self._get_api_list(
            "/usage",
            page=SyncCursorPage[_types.UsageRecord],
            options=sent(
                given(
                    model=model,
                    source=source,
                    product=product,
                    tool=tool,
                    api_key_id=api_key_id,
                    status=status,
                    start_time=start_time,
                    end_time=end_time,
                    limit=limit,
                    after=after,
                ),
                any_key(),
                **request,
            ),
            model=_types.UsageRecord,
        )

    def live(
        self,
        *,
        model: str | None = None,
        source: Literal["api_key", "product", "developer_tool", "console"] | None = None,
        product: str | None = None,
        tool: str | None = None,
        api_key_id: str | None = None,
        status: Literal["succeeded", "failed", "cancelled", "interrupted"] | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
        last_event_id: str | None = None,
        **request: Unpack[Extras],
    ) -> LiveItems[_types.UsageDetail]:
        """
        Follow calls as they end: server-sent events, each with one call in the format of `GET /v1/usage/{id}`. Who
        reads them goes on by itself where the connection is lost. Callers see the same calls as in the list. An event
        arrives within a second of its call's end, in the order in which calls ended, at most 20 a second. Calls beyond
        that are skipped and counted in an event `skipped` (`{"calls": 312}`; `null` if unknown). The first event is
        `begin`, with only an id. Each call's event has an id. A client that reconnects with the last one in
        `Last-Event-ID`, as browsers do automatically, or in `last_event_id`, continues after it. A stream ends when the
        gateway stops or is overloaded, within a second after the caller loses the permission, and for signed-in people
        after a minute: then reconnect.

        Args:
            model: Only this model.
            source: Only keys of this source.
            product: Only this product, by id.
            tool: Only this developer tool, by name.
            api_key_id: Only this key.
            status: Only calls with this status.
            start_time: Only calls from this time on (Unix seconds).
            end_time: Only calls before this time (Unix seconds).
            last_event_id: Id of the last received event, for clients that cannot send the header.
        """
        return LiveItems(
            self._client,
            "/usage/live",
            _types.UsageDetail,
            given(
                model=model,
                source=source,
                product=product,
                tool=tool,
                api_key_id=api_key_id,
                status=status,
                start_time=start_time,
                end_time=end_time,
                last_event_id=last_event_id,
            ),
            request,
        )

    def summary(
        self,
        *,
        by: str | None = None,
        model: str | None = None,
        source: Literal["api_key", "product", "developer_tool", "console"] | None = None,
        product: str | None = None,
        tool: str | None = None,
        route: str | None = None,
        provider: str | None = None,
        api_key_id: str | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        order_by: Literal["cost", "calls", "tokens", "cached_tokens", "failed_calls"] | None = None,
        top: int | None = None,
        **request: Unpack[Extras],
    ) -> _types.UsageSummary:
        """
        Sum up usage and costs of the key's organization, beside the previous period. The period is whole UTC days,
        including today so far, and is compared with as many days before. A call belongs to the day on which it began,
        and counts once it has ended.

        Args:
            by: Grouping, separated by commas: key, model, product, tool, source, route, provider, day (default:
                only totals).
            model: Only this model, by its catalog name.
            source: Only keys of this source.
            product: Only this product, by id.
            tool: Only this developer tool, by name.
            route: Only this route.
            provider: Only calls served by this provider.
            api_key_id: Only this key.
            start_time: From the UTC day of this time on (Unix seconds); left out, 30 days ago.
            end_time: End of the period; its UTC day is included (default: now).
            limit: Number of rows; the others are summed in `rest`.
            order_by: Sort order of the rows, largest first.
            top: The number of names, or combinations of them, that are shown by themselves: the largest of the
                whole period, not counting days. The others are one row, or one per day. Default: all are shown.
        """
        return self._get(
            "/usage/summary",
            cast_to=_types.UsageSummary,
            options=sent(
                given(
                    by=by,
                    model=model,
                    source=source,
                    product=product,
                    tool=tool,
                    route=route,
                    provider=provider,
                    api_key_id=api_key_id,
                    start_time=start_time,
                    end_time=end_time,
                    limit=limit,
                    order_by=order_by,
                    top=top,
                ),
                any_key(),
                **request,
            ),
        )

    def first_tokens(
        self,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        **request: Unpack[Extras],
    ) -> _types.FirstTokenTimes:
        """
        Get the time to the first token of the organization's streams, beside the previous period. The period is whole
        UTC days, including today so far, and is compared with as many days before. A call belongs to the day on which
        it began, and counts once it has ended.

        Args:
            start_time: From the UTC day of this time on (Unix seconds); left out, 30 days ago.
            end_time: End of the period; its UTC day is included (default: now).
        """
        return self._get(
            "/usage/first_tokens",
            cast_to=_types.FirstTokenTimes,
            options=sent(given(start_time=start_time, end_time=end_time), any_key(), **request),
        )

    def retrieve(
        self,
        id: str,
        **request: Unpack[Extras],
    ) -> _types.UsageDetail:
        """
        Get one complete call: its record, each attempt, and its route's decision.

        Args:
            id: The record's id, or the request's (`x-request-id` of the answer).
        """
        return self._get(
            path("/usage/{id}", id=id),
            cast_to=_types.UsageDetail,
            options=sent(given(), any_key(), **request),
        )


class AsyncUsage(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncUsageWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncUsageWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncUsageWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncUsageWithStreamingResponse(self)

    def list(
        self,
        *,
        model: str | None = None,
        source: Literal["api_key", "product", "developer_tool", "console"] | None = None,
        product: str | None = None,
        tool: str | None = None,
        api_key_id: str | None = None,
        status: Literal["succeeded", "failed", "cancelled", "interrupted", "refused"] | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int = 100,
        after: str | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.UsageRecord, AsyncCursorPage[_types.UsageRecord]]:
        """
        List the usage records of the key's organization, newest first. A key reads the records of its organization, its
        project or only its own, according to its `usage`, here and in the other operations. A person's key never reads
        more than the person may.

        Args:
            model: Only this model.
            source: Only keys of this source.
            product: Only this product, by id.
            tool: Only this developer tool, by name.
            api_key_id: Only this key.
            status: Only calls with this status. Refused calls have no usage, and are listed only if asked for.
            start_time: Only calls from this time on (Unix seconds).
            end_time: Only calls before this time (Unix seconds).
            limit: Items of one page: all pages are read.
            after: Id of the last record of the previous page.
        """
        return self._get_api_list(
            "/usage",
            page=AsyncCursorPage[_types.UsageRecord],
            options=sent(
                given(
                    model=model,
                    source=source,
                    product=product,
                    tool=tool,
                    api_key_id=api_key_id,
                    status=status,
                    start_time=start_time,
                    end_time=end_time,
                    limit=limit,
                    after=after,
                ),
                any_key(),
                **request,
            ),
            model=_types.UsageRecord,
        )

    def live(
        self,
        *,
        model: str | None = None,
        source: Literal["api_key", "product", "developer_tool", "console"] | None = None,
        product: str | None = None,
        tool: str | None = None,
        api_key_id: str | None = None,
        status: Literal["succeeded", "failed", "cancelled", "interrupted"] | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
        last_event_id: str | None = None,
        **request: Unpack[Extras],
    ) -> AsyncLiveItems[_types.UsageDetail]:
        """
        Follow calls as they end: server-sent events, each with one call in the format of `GET /v1/usage/{id}`. Who
        reads them goes on by itself where the connection is lost. Callers see the same calls as in the list. An event
        arrives within a second of its call's end, in the order in which calls ended, at most 20 a second. Calls beyond
        that are skipped and counted in an event `skipped` (`{"calls": 312}`; `null` if unknown). The first event is
        `begin`, with only an id. Each call's event has an id. A client that reconnects with the last one in
        `Last-Event-ID`, as browsers do automatically, or in `last_event_id`, continues after it. A stream ends when the
        gateway stops or is overloaded, within a second after the caller loses the permission, and for signed-in people
        after a minute: then reconnect.

        Args:
            model: Only this model.
            source: Only keys of this source.
            product: Only this product, by id.
            tool: Only this developer tool, by name.
            api_key_id: Only this key.
            status: Only calls with this status.
            start_time: Only calls from this time on (Unix seconds).
            end_time: Only calls before this time (Unix seconds).
            last_event_id: Id of the last received event, for clients that cannot send the header.
        """
        return AsyncLiveItems(
            self._client,
            "/usage/live",
            _types.UsageDetail,
            given(
                model=model,
                source=source,
                product=product,
                tool=tool,
                api_key_id=api_key_id,
                status=status,
                start_time=start_time,
                end_time=end_time,
                last_event_id=last_event_id,
            ),
            request,
        )

    async def summary(
        self,
        *,
        by: str | None = None,
        model: str | None = None,
        source: Literal["api_key", "product", "developer_tool", "console"] | None = None,
        product: str | None = None,
        tool: str | None = None,
        route: str | None = None,
        provider: str | None = None,
        api_key_id: str | None = None,
        start_time: int | None = None,
        end_time: int | None = None,
        limit: int | None = None,
        order_by: Literal["cost", "calls", "tokens", "cached_tokens", "failed_calls"] | None = None,
        top: int | None = None,
        **request: Unpack[Extras],
    ) -> _types.UsageSummary:
        """
        Sum up usage and costs of the key's organization, beside the previous period. The period is whole UTC days,
        including today so far, and is compared with as many days before. A call belongs to the day on which it began,
        and counts once it has ended.

        Args:
            by: Grouping, separated by commas: key, model, product, tool, source, route, provider, day (default:
                only totals).
            model: Only this model, by its catalog name.
            source: Only keys of this source.
            product: Only this product, by id.
            tool: Only this developer tool, by name.
            route: Only this route.
            provider: Only calls served by this provider.
            api_key_id: Only this key.
            start_time: From the UTC day of this time on (Unix seconds); left out, 30 days ago.
            end_time: End of the period; its UTC day is included (default: now).
            limit: Number of rows; the others are summed in `rest`.
            order_by: Sort order of the rows, largest first.
            top: The number of names, or combinations of them, that are shown by themselves: the largest of the
                whole period, not counting days. The others are one row, or one per day. Default: all are shown.
        """
        return await self._get(
            "/usage/summary",
            cast_to=_types.UsageSummary,
            options=sent(
                given(
                    by=by,
                    model=model,
                    source=source,
                    product=product,
                    tool=tool,
                    route=route,
                    provider=provider,
                    api_key_id=api_key_id,
                    start_time=start_time,
                    end_time=end_time,
                    limit=limit,
                    order_by=order_by,
                    top=top,
                ),
                any_key(),
                **request,
            ),
        )

    async def first_tokens(
        self,
        *,
        start_time: int | None = None,
        end_time: int | None = None,
        **request: Unpack[Extras],
    ) -> _types.FirstTokenTimes:
        """
        Get the time to the first token of the organization's streams, beside the previous period. The period is whole
        UTC days, including today so far, and is compared with as many days before. A call belongs to the day on which
        it began, and counts once it has ended.

        Args:
            start_time: From the UTC day of this time on (Unix seconds); left out, 30 days ago.
            end_time: End of the period; its UTC day is included (default: now).
        """
        return await self._get(
            "/usage/first_tokens",
            cast_to=_types.FirstTokenTimes,
            options=sent(given(start_time=start_time, end_time=end_time), any_key(), **request),
        )

    async def retrieve(
        self,
        id: str,
        **request: Unpack[Extras],
    ) -> _types.UsageDetail:
        """
        Get one complete call: its record, each attempt, and its route's decision.

        Args:
            id: The record's id, or the request's (`x-request-id` of the answer).
        """
        return await self._get(
            path("/usage/{id}", id=id),
            cast_to=_types.UsageDetail,
            options=sent(given(), any_key(), **request),
        )


class Feedback(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.FeedbackWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.FeedbackWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.FeedbackWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.FeedbackWithStreamingResponse(self)

    def create(
        self,
        *,
        request_id: str,
        score: float,
        note: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Feedback:
        """
        Rate the answer to a call; a smart route learns from it. With the key that made the call, or an administrator's
        of its organization. A later score replaces an earlier one.

        Args:
            request_id: The `x-request-id` of the answer, or the id of its usage record.
            score: From 0, of no use, to 1, as good as can be.
        """
        return self._post(
            "/feedback",
            cast_to=_types.Feedback,
            body=written(request_id=request_id, score=score, note=note),
            options=sent(given(), any_key(), **request),
        )


class AsyncFeedback(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncFeedbackWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncFeedbackWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncFeedbackWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncFeedbackWithStreamingResponse(self)

    async def create(
        self,
        *,
        request_id: str,
        score: float,
        note: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Feedback:
        """
        Rate the answer to a call; a smart route learns from it. With the key that made the call, or an administrator's
        of its organization. A later score replaces an earlier one.

        Args:
            request_id: The `x-request-id` of the answer, or the id of its usage record.
            score: From 0, of no use, to 1, as good as can be.
        """
        return await self._post(
            "/feedback",
            cast_to=_types.Feedback,
            body=written(request_id=request_id, score=score, note=note),
            options=sent(given(), any_key(), **request),
        )


class Routes(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.RoutesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.RoutesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.RoutesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.RoutesWithStreamingResponse(self)

    def list(
        self,
        **request: Unpack[Extras],
    ) -> SyncPage[_types.CatalogEntry]:
        """
        List the routes that the key may use, in the catalog's format.
        """
        return self._get_api_list(
            "/routes",
            page=SyncPage[_types.CatalogEntry],
            options=sent(given(), any_key(), **request),
            model=_types.CatalogEntry,
        )

    def explain(
        self,
        id: str,
        *,
        body: Mapping[str, Any],
        surface: Literal["chat", "responses", "messages", "embeddings"] | None = None,
        **request: Unpack[Extras],
    ) -> _types.RouteDecision:
        """
        Show who would serve a call, and why. No provider is called, and nothing is recorded.

        Args:
            id: A route or a vendor's model. Slashes may be encoded or not.
            surface: Type of the body (default: determined by its members).
        """
        return self._post(
            path("/routes/{id}/explain", id=id),
            cast_to=_types.RouteDecision,
            body=body,
            options=sent(given(surface=surface), any_key(), **request),
        )


class AsyncRoutes(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncRoutesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncRoutesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncRoutesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncRoutesWithStreamingResponse(self)

    def list(
        self,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.CatalogEntry, AsyncPage[_types.CatalogEntry]]:
        """
        List the routes that the key may use, in the catalog's format.
        """
        return self._get_api_list(
            "/routes",
            page=AsyncPage[_types.CatalogEntry],
            options=sent(given(), any_key(), **request),
            model=_types.CatalogEntry,
        )

    async def explain(
        self,
        id: str,
        *,
        body: Mapping[str, Any],
        surface: Literal["chat", "responses", "messages", "embeddings"] | None = None,
        **request: Unpack[Extras],
    ) -> _types.RouteDecision:
        """
        Show who would serve a call, and why. No provider is called, and nothing is recorded.

        Args:
            id: A route or a vendor's model. Slashes may be encoded or not.
            surface: Type of the body (default: determined by its members).
        """
        return await self._post(
            path("/routes/{id}/explain", id=id),
            cast_to=_types.RouteDecision,
            body=body,
            options=sent(given(surface=surface), any_key(), **request),
        )


class SettingsProjectsApiKeys(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsProjectsApiKeysWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsProjectsApiKeysWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsProjectsApiKeysWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsProjectsApiKeysWithStreamingResponse(self)

    def list(
        self,
        project_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        owner_project_access: Literal["active", "inactive", "any"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.ProjectApiKey]:
        """
        List the keys of a project with their use.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
            owner_project_access: Keys of owners who are in the project, of others, or all.
        """
        return self._get_api_list(
            path("/organization/projects/{project_id}/api_keys", project_id=project_id),
            page=SyncCursorPage[_types.ProjectApiKey],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                    owner_project_access=owner_project_access,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.ProjectApiKey,
        )

    def list_all(
        self,
        *,
        limit: int = 500,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        search: str | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.PlacedApiKey]:
        """
        List the keys of all projects, or of the projects that the caller may read. Archived projects are left out. Not
        in OpenAI's API.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
            search: Only keys with this in their name or id, best match first: up to `limit`, in one page.
        """
        return self._get_api_list(
            "/organization/api_keys",
            page=SyncCursorPage[_types.PlacedApiKey],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                    search=search,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.PlacedApiKey,
        )

    def create(
        self,
        project_id: str,
        *,
        name: str,
        user_id: str | None | Omit = omit,
        service_account_id: str | Omit = omit,
        expires_in_seconds: int | None | Omit = omit,
        scopes: Sequence[str] | Omit = omit,
        usage: Literal["organization", "project", "own"] | Omit = omit,
        allowed_models: Sequence[str] | None | Omit = omit,
        ip_ranges: Sequence[str] | None | Omit = omit,
        max_requests_per_1_minute: int | None | Omit = omit,
        max_tokens_per_1_minute: int | None | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.NewProjectApiKey:
        """
        Create a key in a project: for yourself, another person, a service account, or nobody. Not in OpenAI's API.

        Args:
            user_id: Owner of the key (default: the caller, signed in or by key). `null`: no owner, as for keys
                created by such a key. Anything but yourself needs `api.members.write`.
            service_account_id: The service account that owns the key, instead of a person. Needs
                `api.members.write`.
            scopes: Empty for everything. Stored and returned.
            usage: Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a
                wider scope than their own, and a person's key never reads more than the person may.
            ip_ranges: Addresses and ranges such as `10.0.0.0/8`.
        """
        return self._post(
            path("/organization/projects/{project_id}/api_keys", project_id=project_id),
            cast_to=_types.NewProjectApiKey,
            body=written(
                name=name,
                user_id=user_id,
                service_account_id=service_account_id,
                expires_in_seconds=expires_in_seconds,
                scopes=scopes,
                usage=usage,
                allowed_models=allowed_models,
                ip_ranges=ip_ranges,
                max_requests_per_1_minute=max_requests_per_1_minute,
                max_tokens_per_1_minute=max_tokens_per_1_minute,
                spend_limit=spend_limit,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        project_id: str,
        api_key_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProjectApiKey:
        """
        Get a key.
        """
        return self._get(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.ProjectApiKey,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        project_id: str,
        api_key_id: str,
        *,
        name: str | Omit = omit,
        scopes: Sequence[str] | Omit = omit,
        usage: Literal["organization", "project", "own"] | Omit = omit,
        allowed_models: Sequence[str] | None | Omit = omit,
        ip_ranges: Sequence[str] | None | Omit = omit,
        max_requests_per_1_minute: int | None | Omit = omit,
        max_tokens_per_1_minute: int | None | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        expires_in_seconds: int | None | Omit = omit,
        enabled: bool | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProjectApiKey:
        """
        Change a key. Members that are left out stay. The change is in force everywhere within a second. A key of
        somebody else also needs `api.members.write`, a product's key `api.products.write`, an admin key an owner.

        Args:
            scopes: Empty for everything. Stored and returned.
            usage: Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a
                wider scope than their own, and a person's key never reads more than the person may.
            ip_ranges: Addresses and ranges such as `10.0.0.0/8`.
            expires_in_seconds: `null` for no expiry.
            enabled: Whether it is enabled.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.ProjectApiKey,
            body=written(
                name=name,
                scopes=scopes,
                usage=usage,
                allowed_models=allowed_models,
                ip_ranges=ip_ranges,
                max_requests_per_1_minute=max_requests_per_1_minute,
                max_tokens_per_1_minute=max_tokens_per_1_minute,
                spend_limit=spend_limit,
                expires_in_seconds=expires_in_seconds,
                enabled=enabled,
                if_version=if_version,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def rotate(
        self,
        project_id: str,
        api_key_id: str,
        *,
        overlap_seconds: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.RotatedApiKey:
        """
        Replace the secret of a key. The old secret stays valid for a while. A key of somebody else also needs
        `api.members.write`, a product's key `api.products.write`, an admin key an owner. If the key reads more usage
        than the person who gets the secret, its scope is reduced to theirs; `usage` in the answer shows it. Your own
        key keeps its scope.

        Args:
            overlap_seconds: How long the old secret stays valid; at most 90 days.
        """
        return self._post(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}/rotate", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.RotatedApiKey,
            body=written(overlap_seconds=overlap_seconds),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        project_id: str,
        api_key_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProjectApiKeyDeleted:
        """
        Revoke a key permanently. A key of somebody else also needs `api.members.write`, a product's key
        `api.products.write`, an admin key an owner.
        """
        return self._delete(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.ProjectApiKeyDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsProjects(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsProjectsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsProjectsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsProjectsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsProjectsWithStreamingResponse(self)

    @cached_property
    def api_keys(self) -> SettingsProjectsApiKeys:
        return SettingsProjectsApiKeys(self._client)


class SettingsModels(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsModelsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsModelsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsModelsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsModelsWithStreamingResponse(self)

    def access(
        self,
        model_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.ModelAccess]:
        """
        List the projects with whether they, and how many of their keys, may use a model. The model's name in calls, or
        an alias; slashes are written `%2F`. Archived projects are left out.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/organization/models/{model_id}/access", model_id=model_id),
            page=SyncCursorPage[_types.ModelAccess],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.ModelAccess,
        )

    def prices(
        self,
        model_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.ModelPrice]:
        """
        List a model's past, present and future prices. Prices that were set, the present one, and those that calls were
        billed by. Slashes in the name are encoded as `%2F`. Prices belong to the gateway: its first organization sets
        them, and they apply to all.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/organization/models/{model_id}/prices", model_id=model_id),
            page=SyncCursorPage[_types.ModelPrice],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.ModelPrice,
        )


class SettingsLimitUse(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsLimitUseWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsLimitUseWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsLimitUseWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsLimitUseWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        least_percent: int | None = None,
        measure: Literal["spend_usd", "requests", "tokens"] | None = None,
        include_archived: bool | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.LimitUse]:
        """
        List the limits of the organization and its projects with their use. Monthly spend limits for readers of
        budgets, and rate limits of models for readers of usage. The configuration's own rate limits are left out, and
        archived projects unless they are included.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
            least_percent: Only limits used at least this much, in percent: 80 finds those nearly used up.
            measure: Only limits of this.
            include_archived: Whether spend limits of archived projects are listed, too.
        """
        return self._get_api_list(
            "/organization/limit_use",
            page=SyncCursorPage[_types.LimitUse],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    order=order,
                    least_percent=least_percent,
                    measure=measure,
                    include_archived=include_archived,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.LimitUse,
        )


class SettingsSpendLimits(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsSpendLimitsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsSpendLimitsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsSpendLimitsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsSpendLimitsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 1000,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.SpendLimit]:
        """
        List the monthly spend limits of the organization and its projects.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/spend_limits",
            page=SyncCursorPage[_types.SpendLimit],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.SpendLimit,
        )


class SettingsBudgets(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsBudgetsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsBudgetsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsBudgetsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsBudgetsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.Budget]:
        """
        List budgets with their spending.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/budgets",
            page=SyncCursorPage[_types.Budget],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.Budget,
        )

    def create(
        self,
        *,
        name: str,
        holders: Sequence[Mapping[str, Any]],
        amount_usd: float | str,
        interval: Literal["life", "day", "week", "month"] | Omit = omit,
        hard: bool | Omit = omit,
        alerts: Sequence[float] | Omit = omit,
        recipients: Sequence[str] | Omit = omit,
        overrides: Sequence[Mapping[str, Any]] | Omit = omit,
        models: Sequence[str] | None | Omit = omit,
        instead: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Budget:
        """
        Create a budget for a project, group, person, key, product or all, or several of them together. Spending of its
        holders in the current period counts; for groups, `models`, `instead` and `life` it counts from now on. Every
        process goes by it within a second.

        Args:
            holders: Its holders, who share it. For a `group` or `user`, the keys that people own.
            amount_usd: A number, or a text for exact values: `"12.345678901"`.
            interval: In UTC; weeks begin on Monday.
            hard: Whether calls are refused once it is used up; otherwise it only counts.
            alerts: Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`.
            recipients: Email addresses for its alerts.
            overrides: Temporary additions; ended ones are left out.
            models: The models and routes that it applies to; `null` for all.
            instead: The model or route that serves once it is used up. Those calls count against other budgets
                only.
        """
        return self._post(
            "/organization/budgets",
            cast_to=_types.Budget,
            body=written(
                name=name,
                holders=holders,
                amount_usd=amount_usd,
                interval=interval,
                hard=hard,
                alerts=alerts,
                recipients=recipients,
                overrides=overrides,
                models=models,
                instead=instead,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        budget_id: str,
        **request: Unpack[Extras],
    ) -> _types.Budget:
        """
        Get a budget with its spending.
        """
        return self._get(
            path("/organization/budgets/{budget_id}", budget_id=budget_id),
            cast_to=_types.Budget,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        budget_id: str,
        *,
        name: str | Omit = omit,
        holders: Sequence[Mapping[str, Any]] | Omit = omit,
        amount_usd: float | str | Omit = omit,
        interval: Literal["life", "day", "week", "month"] | Omit = omit,
        hard: bool | Omit = omit,
        alerts: Sequence[float] | Omit = omit,
        recipients: Sequence[str] | Omit = omit,
        overrides: Sequence[Mapping[str, Any]] | Omit = omit,
        models: Sequence[str] | None | Omit = omit,
        instead: str | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Budget:
        """
        Change a budget. Members that are left out stay, and so does its spending.

        Args:
            holders: Its holders, who share it. For a `group` or `user`, the keys that people own.
            amount_usd: A number, or a text for exact values: `"12.345678901"`.
            interval: In UTC; weeks begin on Monday.
            hard: Whether calls are refused once it is used up; otherwise it only counts.
            alerts: Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`.
            recipients: Email addresses for its alerts.
            overrides: Temporary additions; ended ones are left out.
            models: The models and routes that it applies to; `null` for all.
            instead: The model or route that serves once it is used up. Those calls count against other budgets
                only.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/budgets/{budget_id}", budget_id=budget_id),
            cast_to=_types.Budget,
            body=written(
                name=name,
                holders=holders,
                amount_usd=amount_usd,
                interval=interval,
                hard=hard,
                alerts=alerts,
                recipients=recipients,
                overrides=overrides,
                models=models,
                instead=instead,
                if_version=if_version,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        budget_id: str,
        **request: Unpack[Extras],
    ) -> _types.BudgetDeleted:
        """
        Delete a budget. What it has spent is forgotten.
        """
        return self._delete(
            path("/organization/budgets/{budget_id}", budget_id=budget_id),
            cast_to=_types.BudgetDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsInvites(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsInvitesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsInvitesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsInvitesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsInvitesWithStreamingResponse(self)

    def create(
        self,
        *,
        email: str,
        role: Literal["owner", "reader"],
        projects: Sequence[Mapping[str, Any]] | None | Omit = omit,
        groups: Sequence[str] | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.InviteCreated:
        """
        Invite somebody for 7 days. Nobody can invite with more permissions than their own: only an owner invites
        owners.

        Args:
            groups: Ids of groups that the person joins. Not in OpenAI's API.
        """
        return self._post(
            "/organization/invites",
            cast_to=_types.InviteCreated,
            body=written(email=email, role=role, projects=projects, groups=groups),
            options=sent(given(), administration(self._client), **request),
        )


class SettingsWebhookEndpoints(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsWebhookEndpointsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsWebhookEndpointsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsWebhookEndpointsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsWebhookEndpointsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.WebhookEndpoint]:
        """
        List the organization's webhook endpoints, newest first.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            "/webhook_endpoints",
            page=SyncCursorPage[_types.WebhookEndpoint],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.WebhookEndpoint,
        )

    def create(
        self,
        *,
        name: str,
        url: str,
        event_types: Sequence[Literal["spend_alert.triggered", "spend_limit.reached", "api_key.created", "api_key.rotated", "api_key.deleted", "project.created", "project.archived"]],
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpointWithSecret:
        """
        Create a webhook endpoint. Requests are signed as in Standard Webhooks, and repeated with growing pauses for a
        day until one is answered with 2xx. The `webhook-id` stays the same.

        Args:
            url: The public https address that events are sent to.
        """
        return self._post(
            "/webhook_endpoints",
            cast_to=_types.WebhookEndpointWithSecret,
            body=written(name=name, url=url, event_types=event_types),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        webhook_id: str,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpoint:
        """
        Get an endpoint.
        """
        return self._get(
            path("/webhook_endpoints/{webhook_id}", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpoint,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        webhook_id: str,
        *,
        name: str | Omit = omit,
        url: str | Omit = omit,
        event_types: Sequence[Literal["spend_alert.triggered", "spend_limit.reached", "api_key.created", "api_key.rotated", "api_key.deleted", "project.created", "project.archived"]] | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpoint:
        """
        Change an endpoint.

        Args:
            url: The public https address that events are sent to.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/webhook_endpoints/{webhook_id}", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpoint,
            body=written(name=name, url=url, event_types=event_types, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        webhook_id: str,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpointDeleted:
        """
        Delete an endpoint, and what it was still to be told.
        """
        return self._delete(
            path("/webhook_endpoints/{webhook_id}", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpointDeleted,
            options=sent(given(), administration(self._client), **request),
        )

    def rotate_secret(
        self,
        webhook_id: str,
        *,
        keep_old_secret_active_for_24_hours: bool | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpointWithSecret:
        """
        Replace the secret of an endpoint.

        Args:
            keep_old_secret_active_for_24_hours: Whether requests are signed with both secrets for a day.
        """
        return self._post(
            path("/webhook_endpoints/{webhook_id}/rotate_secret", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpointWithSecret,
            body=written(keep_old_secret_active_for_24_hours=keep_old_secret_active_for_24_hours),
            options=sent(given(), administration(self._client), **request),
        )

    def test(
        self,
        webhook_id: str,
        *,
        event_type: Literal["spend_alert.triggered", "spend_limit.reached", "api_key.created", "api_key.rotated", "api_key.deleted", "project.created", "project.archived"],
        **request: Unpack[Extras],
    ) -> _types.WebhookTestResult:
        """
        Send one test event to an endpoint.
        """
        return self._post(
            path("/webhook_endpoints/{webhook_id}/test", webhook_id=webhook_id),
            cast_to=_types.WebhookTestResult,
            body=written(event_type=event_type),
            options=sent(given(), administration(self._client), **request),
        )

    def deliveries(
        self,
        webhook_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.WebhookDelivery]:
        """
        List the deliveries to an endpoint of the last 30 days, newest first.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/webhook_endpoints/{webhook_id}/deliveries", webhook_id=webhook_id),
            page=SyncCursorPage[_types.WebhookDelivery],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.WebhookDelivery,
        )

    def event_types(
        self,
        **request: Unpack[Extras],
    ) -> _types.WebhookEventTypeList:
        """
        List the types of webhook events.
        """
        return self._get(
            "/webhook_event_types",
            cast_to=_types.WebhookEventTypeList,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsProvidersCredentials(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsProvidersCredentialsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsProvidersCredentialsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsProvidersCredentialsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsProvidersCredentialsWithStreamingResponse(self)

    def create(
        self,
        provider_id: str,
        *,
        key: str,
        name: str | Omit = omit,
        weight: int | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProviderCredential:
        """
        Add a key to a provider.

        Args:
            key: The vendor's key. It is encrypted and never shown again.
            name: Name for targets of routes.
            weight: Its share of the calls; with 0, only targets that name it use it.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/providers/{provider_id}/credentials", provider_id=provider_id),
            cast_to=_types.ProviderCredential,
            body=written(key=key, name=name, weight=weight, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        provider_id: str,
        credential_id: str,
        *,
        name: str | Omit = omit,
        key: str | Omit = omit,
        weight: int | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProviderCredential:
        """
        Change a credential: its name, its share of the calls, or the key itself.

        Args:
            key: The vendor's key. It is encrypted and never shown again.
            weight: Its share of the calls; with 0, only targets that name it use it.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/providers/{provider_id}/credentials/{credential_id}", provider_id=provider_id, credential_id=credential_id),
            cast_to=_types.ProviderCredential,
            body=written(name=name, key=key, weight=weight, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        provider_id: str,
        credential_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProviderCredentialDeleted:
        """
        Delete a key of a provider.
        """
        return self._delete(
            path("/organization/providers/{provider_id}/credentials/{credential_id}", provider_id=provider_id, credential_id=credential_id),
            cast_to=_types.ProviderCredentialDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsProviders(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsProvidersWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsProvidersWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsProvidersWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsProvidersWithStreamingResponse(self)

    @cached_property
    def credentials(self) -> SettingsProvidersCredentials:
        return SettingsProvidersCredentials(self._client)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.Provider]:
        """
        List the providers by id: those of the configuration file, where they are changed, and others.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/providers",
            page=SyncCursorPage[_types.Provider],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.Provider,
        )

    def presets(
        self,
        **request: Unpack[Extras],
    ) -> SyncPage[_types.ProviderPreset]:
        """
        List the known vendors. These need only a key.
        """
        return self._get_api_list(
            "/organization/provider_presets",
            page=SyncPage[_types.ProviderPreset],
            options=sent(given(), administration(self._client), **request),
            model=_types.ProviderPreset,
        )

    def create(
        self,
        *,
        id: str,
        preset: str | Omit = omit,
        base_url: str | Omit = omit,
        label: str | Omit = omit,
        dialects: Sequence[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]] | Omit = omit,
        models: Sequence[Mapping[str, Any]] | Omit = omit,
        only: Sequence[Mapping[str, Any]] | Omit = omit,
        unknown_models: Literal["pass", "refuse"] | Omit = omit,
        region: str | Omit = omit,
        shared_ids: Literal["refuse", "allow"] | Omit = omit,
        credentials: Sequence[Mapping[str, Any]] | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Provider:
        """
        Add a provider. It can be called within a second.

        Args:
            id: The prefix of its models: `openai/gpt-4o`.
            preset: The vendor preset with address and quirks (default: the one with the same id).
                `provider_presets` lists them.
            base_url: Where it is: over https, and public.
            label: Display name.
            dialects: Formats it supports.
            models: Models beyond those of the catalog and its own list, or facts of these.
            only: The only models it serves.
            unknown_models: `refuse`: unlisted names are not sent to it.
            region: The region that it serves from, such as eu; routes can require it.
            shared_ids: Whether calls may refer to files and other objects in its account.
        """
        return self._post(
            "/organization/providers",
            cast_to=_types.Provider,
            body=written(
                id=id,
                preset=preset,
                base_url=base_url,
                label=label,
                dialects=dialects,
                models=models,
                only=only,
                unknown_models=unknown_models,
                region=region,
                shared_ids=shared_ids,
                credentials=credentials,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def test(
        self,
        *,
        provider_id: str | Omit = omit,
        credential_id: str | Omit = omit,
        preset: str | Omit = omit,
        base_url: str | Omit = omit,
        label: str | Omit = omit,
        dialects: Sequence[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]] | Omit = omit,
        models: Sequence[Mapping[str, Any]] | Omit = omit,
        only: Sequence[Mapping[str, Any]] | Omit = omit,
        unknown_models: Literal["pass", "refuse"] | Omit = omit,
        region: str | Omit = omit,
        shared_ids: Literal["refuse", "allow"] | Omit = omit,
        key: str | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProviderTest:
        """
        Test an existing, changed or new provider by asking for its models. Nothing is stored, and vendors bill nothing.

        Args:
            provider_id: An existing provider; other given members override its own.
            credential_id: The key to send (default: the first).
            preset: The vendor preset with address and quirks (default: the one with the same id).
                `provider_presets` lists them.
            base_url: Where it is: over https, and public.
            label: Display name.
            dialects: Formats it supports.
            models: Models beyond those of the catalog and its own list, or facts of these.
            only: The only models it serves.
            unknown_models: `refuse`: unlisted names are not sent to it.
            region: The region that it serves from, such as eu; routes can require it.
            shared_ids: Whether calls may refer to files and other objects in its account.
            key: The vendor's key. It is encrypted and never shown again.
        """
        return self._post(
            "/organization/providers/test",
            cast_to=_types.ProviderTest,
            body=written(
                provider_id=provider_id,
                credential_id=credential_id,
                preset=preset,
                base_url=base_url,
                label=label,
                dialects=dialects,
                models=models,
                only=only,
                unknown_models=unknown_models,
                region=region,
                shared_ids=shared_ids,
                key=key,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        provider_id: str,
        **request: Unpack[Extras],
    ) -> _types.Provider:
        """
        Get a provider with its status.
        """
        return self._get(
            path("/organization/providers/{provider_id}", provider_id=provider_id),
            cast_to=_types.Provider,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        provider_id: str,
        *,
        preset: str | None | Omit = omit,
        base_url: str | None | Omit = omit,
        label: str | None | Omit = omit,
        dialects: Sequence[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]] | None | Omit = omit,
        models: Sequence[Mapping[str, Any]] | None | Omit = omit,
        only: Sequence[Mapping[str, Any]] | None | Omit = omit,
        unknown_models: Literal["pass", "refuse"] | None | Omit = omit,
        region: str | None | Omit = omit,
        shared_ids: Literal["refuse", "allow"] | None | Omit = omit,
        credentials: Sequence[Mapping[str, Any]] | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Provider:
        """
        Change a provider.

        Args:
            credentials: Replaces all its keys. Required with a new address.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/providers/{provider_id}", provider_id=provider_id),
            cast_to=_types.Provider,
            body=written(
                preset=preset,
                base_url=base_url,
                label=label,
                dialects=dialects,
                models=models,
                only=only,
                unknown_models=unknown_models,
                region=region,
                shared_ids=shared_ids,
                credentials=credentials,
                if_version=if_version,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        provider_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProviderDeleted:
        """
        Delete a provider with its keys: it cannot be called any more within a second.
        """
        return self._delete(
            path("/organization/providers/{provider_id}", provider_id=provider_id),
            cast_to=_types.ProviderDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsRoutesVersions(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsRoutesVersionsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsRoutesVersionsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsRoutesVersionsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsRoutesVersionsWithStreamingResponse(self)

    def list(
        self,
        route_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.OrganizationRouteVersion]:
        """
        List the versions of a stored route, oldest first.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/organization/routes/{route_id}/versions", route_id=route_id),
            page=SyncCursorPage[_types.OrganizationRouteVersion],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.OrganizationRouteVersion,
        )

    def create(
        self,
        route_id: str,
        *,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        note: str | None | Omit = omit,
        in_force: bool | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteVersionWhole:
        """
        Give a stored route a new definition. An earlier definition becomes the earlier version again.

        Args:
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            note: Reason, for people.
            in_force: `false`: store it without using it.
            if_version: The `version` of the route that was read.
        """
        return self._post(
            path("/organization/routes/{route_id}/versions", route_id=route_id),
            cast_to=_types.OrganizationRouteVersionWhole,
            body=written(definition=definition, yaml=yaml, note=note, in_force=in_force, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        route_id: str,
        version_id: str,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteVersionWhole:
        """
        Get a version with its definition.
        """
        return self._get(
            path("/organization/routes/{route_id}/versions/{version_id}", route_id=route_id, version_id=version_id),
            cast_to=_types.OrganizationRouteVersionWhole,
            options=sent(given(), administration(self._client), **request),
        )

    def diff(
        self,
        route_id: str,
        version_id: str,
        *,
        from_: str | None = None,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteDiff:
        """
        Get the differences between two versions of a route.

        Args:
            from_: The version to compare with (default: the one in force).
        """
        return self._get(
            path("/organization/routes/{route_id}/versions/{version_id}/diff", route_id=route_id, version_id=version_id),
            cast_to=_types.OrganizationRouteDiff,
            options=sent(given(**{"from": from_}), administration(self._client), **request),
        )


class SettingsRoutes(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsRoutesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsRoutesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsRoutesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsRoutesWithStreamingResponse(self)

    @cached_property
    def versions(self) -> SettingsRoutesVersions:
        return SettingsRoutesVersions(self._client)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.OrganizationRoute]:
        """
        List the routes of the configuration and of the store, by id. Routes belong to the gateway: its first
        organization manages them, and all may call them. Slashes in an id are encoded as `%2F`.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/routes",
            page=SyncCursorPage[_types.OrganizationRoute],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.OrganizationRoute,
        )

    def create(
        self,
        *,
        id: str,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        note: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Store a route, which calls may use within a second.

        Args:
            id: The model name that callers send, such as `acme/fast`.
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            note: Reason, for people.
        """
        return self._post(
            "/organization/routes",
            cast_to=_types.OrganizationRouteWhole,
            body=written(id=id, definition=definition, yaml=yaml, note=note),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        route_id: str,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Get a route with its definition.
        """
        return self._get(
            path("/organization/routes/{route_id}", route_id=route_id),
            cast_to=_types.OrganizationRouteWhole,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        route_id: str,
        *,
        version_in_force: str | Omit = omit,
        canary: Mapping[str, Any] | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Put a version of a stored route in force, or give another version a share of its conversations.

        Args:
            version_in_force: The id of a version of this route.
            canary: `null` ends it.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/routes/{route_id}", route_id=route_id),
            cast_to=_types.OrganizationRouteWhole,
            body=written(version_in_force=version_in_force, canary=canary, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def rollback(
        self,
        route_id: str,
        *,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Restore the previous version.

        Args:
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/routes/{route_id}/rollback", route_id=route_id),
            cast_to=_types.OrganizationRouteWhole,
            body=written(if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        route_id: str,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteDeleted:
        """
        Remove a route from the store, with its versions. Usage records stay.
        """
        return self._delete(
            path("/organization/routes/{route_id}", route_id=route_id),
            cast_to=_types.OrganizationRouteDeleted,
            options=sent(given(), administration(self._client), **request),
        )

    def validate(
        self,
        *,
        id: str,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteCheck:
        """
        Check the draft of a route. Nothing is stored.

        Args:
            id: The model name that callers send, such as `acme/fast`.
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
        """
        return self._post(
            "/organization/routes/validate",
            cast_to=_types.OrganizationRouteCheck,
            body=written(id=id, definition=definition, yaml=yaml),
            options=sent(given(), administration(self._client), **request),
        )

    def explain(
        self,
        route_id: str,
        *,
        call: Mapping[str, Any],
        surface: Literal["chat", "responses", "messages", "embeddings"] | Omit = omit,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        version_id: str | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.RouteDecision:
        """
        Show who would serve a call, and why, by a route or its draft. No provider is called, and nothing is recorded.

        Args:
            call: The body of the call; its `model` is ignored.
            surface: Type of the call (default: determined by its members).
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            version_id: A version of the route instead of a draft (default: the version in force).
        """
        return self._post(
            path("/organization/routes/{route_id}/explain", route_id=route_id),
            cast_to=_types.RouteDecision,
            body=written(call=call, surface=surface, definition=definition, yaml=yaml, version_id=version_id),
            options=sent(given(), administration(self._client), **request),
        )

    def replay(
        self,
        route_id: str,
        *,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        version_id: str | Omit = omit,
        since: int | Omit = omit,
        limit: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteReplayed:
        """
        Decide past calls of a route again by a draft, and show what would change. Each call is decided from its record:
        its features, the health of the targets then, the same random numbers. Expected costs use the prices known now.
        It takes at most 10 seconds, and one replay runs at a time. Its sums cover everybody's calls, so it also needs
        the permission `api.usage.read`.

        Args:
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            version_id: A version of the route instead of a draft (default: the version in force).
            since: Start in Unix seconds (default: seven days ago).
            limit: Only the first calls.
        """
        return self._post(
            path("/organization/routes/{route_id}/replay", route_id=route_id),
            cast_to=_types.OrganizationRouteReplayed,
            body=written(definition=definition, yaml=yaml, version_id=version_id, since=since, limit=limit),
            options=sent(given(), administration(self._client), **request),
        )


class SettingsProducts(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsProductsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsProductsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsProductsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsProductsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.Product]:
        """
        List the products of the configuration file, where they are changed, and of the settings, by id. Products belong
        to the gateway: its first organization manages them.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/products",
            page=SyncCursorPage[_types.Product],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.Product,
        )

    def create(
        self,
        *,
        id: str,
        project_id: str | Omit = omit,
        expires_in_seconds: int | None | Omit = omit,
        expires_at: int | Omit = omit,
        name: str | Omit = omit,
        routes: Sequence[str] | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProductWithKey:
        """
        Create a product with its first key, whose secret is shown only here. The key works within a second. Products
        belong to the gateway: its first organization manages them.

        Args:
            id: Letters, digits, `_` and `-`. Used in usage records.
            project_id: Project of its key (default: the default project).
            expires_in_seconds: Expiry of its key (default: never).
            expires_at: The expiry as a time, in Unix seconds, instead of `expires_in_seconds`.
            name: Default: the id.
            routes: Default: the system route.
            spend_limit: Total its keys may spend; `null`: as much as its keys allow.
        """
        return self._post(
            "/organization/products",
            cast_to=_types.ProductWithKey,
            body=written(
                id=id,
                project_id=project_id,
                expires_in_seconds=expires_in_seconds,
                expires_at=expires_at,
                name=name,
                routes=routes,
                spend_limit=spend_limit,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        product_id: str,
        **request: Unpack[Extras],
    ) -> _types.Product:
        """
        Get a product with its spending and keys.
        """
        return self._get(
            path("/organization/products/{product_id}", product_id=product_id),
            cast_to=_types.Product,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        product_id: str,
        *,
        name: str | Omit = omit,
        routes: Sequence[str] | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Product:
        """
        Change a product. Members that are left out stay, and so does its spending.

        Args:
            routes: Routes, models and aliases that its keys may call.
            spend_limit: Total its keys may spend; `null`: as much as its keys allow.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/products/{product_id}", product_id=product_id),
            cast_to=_types.Product,
            body=written(name=name, routes=routes, spend_limit=spend_limit, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def rotate(
        self,
        product_id: str,
        *,
        api_key_id: str | Omit = omit,
        overlap_seconds: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.RotatedProductKey:
        """
        Replace the secret of a product's key, or create the first key. Products of the file are accepted too.

        Args:
            api_key_id: Required if it has several keys.
            overlap_seconds: How long the old secret stays valid; at most 90 days.
        """
        return self._post(
            path("/organization/products/{product_id}/rotate", product_id=product_id),
            cast_to=_types.RotatedProductKey,
            body=written(api_key_id=api_key_id, overlap_seconds=overlap_seconds),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        product_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProductDeleted:
        """
        Delete a product, and revoke its keys. Usage records stay; another of its id goes on with what was spent.
        """
        return self._delete(
            path("/organization/products/{product_id}", product_id=product_id),
            cast_to=_types.ProductDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsPriceOverrides(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsPriceOverridesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsPriceOverridesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsPriceOverridesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsPriceOverridesWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        model: str | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.PriceOverride]:
        """
        List the prices that were set for models, including ended ones, and those of the configuration file. Prices
        belong to the gateway: its first organization sets them, and they apply to all.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
            model: Only those of this model.
        """
        return self._get_api_list(
            "/organization/price_overrides",
            page=SyncCursorPage[_types.PriceOverride],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    order=order,
                    model=model,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.PriceOverride,
        )

    def create(
        self,
        *,
        model: str,
        price: Mapping[str, Any],
        effective_at: int | Omit = omit,
        note: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.PriceOverride:
        """
        Set a model's price from a time on. It applies to calls that begin then; earlier ones do not change. Prices
        belong to the gateway: its first organization sets them, and they apply to all.

        Args:
            model: `provider/model`, or a name that leads to a model.
            price: As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and
                so on, in dollars.
            effective_at: Default: now.
            note: Reason, for people.
        """
        return self._post(
            "/organization/price_overrides",
            cast_to=_types.PriceOverride,
            body=written(model=model, price=price, effective_at=effective_at, note=note),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        price_override_id: str,
        **request: Unpack[Extras],
    ) -> _types.PriceOverride:
        """
        Get a price.
        """
        return self._get(
            path("/organization/price_overrides/{price_override_id}", price_override_id=price_override_id),
            cast_to=_types.PriceOverride,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        price_override_id: str,
        *,
        price: Mapping[str, Any] | Omit = omit,
        effective_at: int | Omit = omit,
        note: str | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.PriceOverride:
        """
        Change a price that has not begun. A later one must follow a price in force, so that bills stay.

        Args:
            price: As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and
                so on, in dollars.
            effective_at: From when on it bills, in Unix seconds: now or later.
            note: Reason, for people.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/price_overrides/{price_override_id}", price_override_id=price_override_id),
            cast_to=_types.PriceOverride,
            body=written(price=price, effective_at=effective_at, note=note, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        price_override_id: str,
        **request: Unpack[Extras],
    ) -> _types.PriceOverrideDeleted:
        """
        End a price now, so that the model costs what it would without it. It stays in the history.
        """
        return self._delete(
            path("/organization/price_overrides/{price_override_id}", price_override_id=price_override_id),
            cast_to=_types.PriceOverrideDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsAliases(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsAliasesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsAliasesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsAliasesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsAliasesWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.Alias]:
        """
        List the aliases of the configuration file, where they are changed, and of the settings, by name. Aliases belong
        to the gateway: its first organization manages them, and all may call them. Slashes in an id are encoded as
        `%2F`.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/aliases",
            page=SyncCursorPage[_types.Alias],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.Alias,
        )

    def create(
        self,
        *,
        id: str,
        target: str,
        **request: Unpack[Extras],
    ) -> _types.Alias:
        """
        Give a model or a route another name, which calls may use within a second. Aliases belong to the gateway: its
        first organization manages them, and all may call them. Slashes in an id are encoded as `%2F`.

        Args:
            id: The model name that callers send, such as `acme/fast`.
            target: The name of a model, a route, or another alias.
        """
        return self._post(
            "/organization/aliases",
            cast_to=_types.Alias,
            body=written(id=id, target=target),
            options=sent(given(), administration(self._client), **request),
        )

    def retrieve(
        self,
        alias_id: str,
        **request: Unpack[Extras],
    ) -> _types.Alias:
        """
        Get an alias with its target.
        """
        return self._get(
            path("/organization/aliases/{alias_id}", alias_id=alias_id),
            cast_to=_types.Alias,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        alias_id: str,
        *,
        target: str,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Alias:
        """
        Change the target of an alias.

        Args:
            target: The name of a model, a route, or another alias.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            path("/organization/aliases/{alias_id}", alias_id=alias_id),
            cast_to=_types.Alias,
            body=written(target=target, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def delete(
        self,
        alias_id: str,
        **request: Unpack[Extras],
    ) -> _types.AliasDeleted:
        """
        Delete an alias: calls cannot name it any more within a second.
        """
        return self._delete(
            path("/organization/aliases/{alias_id}", alias_id=alias_id),
            cast_to=_types.AliasDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class SettingsAttention(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsAttentionWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsAttentionWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsAttentionWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsAttentionWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        **request: Unpack[Extras],
    ) -> SyncCursorPage[_types.AttentionItem]:
        """
        List problems that need attention, worst first. Refused keys, models with an open circuit, rate limits of
        providers, keys and models that were reached in the last hour, and routes with targets that budgets skip for
        lack of a price (for readers of usage and settings); budgets and limits that are 80 % used or refused a call in
        the last hour; models with a shutdown within 60 days that were called in the last 30 days or are in a route; the
        first 200 API keys that expire within 14 days; and API keys older than `usage` that read the usage of the whole
        organization, until it is set. Each kind is shown to those who may read its subject; readers of keys in some
        projects see only these.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
        """
        return self._get_api_list(
            "/organization/attention",
            page=SyncCursorPage[_types.AttentionItem],
            options=sent(given(limit=limit, after=after), administration(self._client), **request),
            model=_types.AttentionItem,
        )


class Settings(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.SettingsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.SettingsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.SettingsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.SettingsWithStreamingResponse(self)

    @cached_property
    def projects(self) -> SettingsProjects:
        return SettingsProjects(self._client)

    @cached_property
    def models(self) -> SettingsModels:
        return SettingsModels(self._client)

    @cached_property
    def limit_use(self) -> SettingsLimitUse:
        return SettingsLimitUse(self._client)

    @cached_property
    def spend_limits(self) -> SettingsSpendLimits:
        return SettingsSpendLimits(self._client)

    @cached_property
    def budgets(self) -> SettingsBudgets:
        return SettingsBudgets(self._client)

    @cached_property
    def invites(self) -> SettingsInvites:
        return SettingsInvites(self._client)

    @cached_property
    def webhook_endpoints(self) -> SettingsWebhookEndpoints:
        return SettingsWebhookEndpoints(self._client)

    @cached_property
    def providers(self) -> SettingsProviders:
        return SettingsProviders(self._client)

    @cached_property
    def routes(self) -> SettingsRoutes:
        return SettingsRoutes(self._client)

    @cached_property
    def products(self) -> SettingsProducts:
        return SettingsProducts(self._client)

    @cached_property
    def price_overrides(self) -> SettingsPriceOverrides:
        return SettingsPriceOverrides(self._client)

    @cached_property
    def aliases(self) -> SettingsAliases:
        return SettingsAliases(self._client)

    @cached_property
    def attention(self) -> SettingsAttention:
        return SettingsAttention(self._client)

    def retrieve(
        self,
        **request: Unpack[Extras],
    ) -> _types.Organization:
        """
        Get the organization.
        """
        return self._get(
            "/organization",
            cast_to=_types.Organization,
            options=sent(given(), administration(self._client), **request),
        )

    def update(
        self,
        *,
        name: str,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Organization:
        """
        Rename the organization.

        Args:
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return self._post(
            "/organization",
            cast_to=_types.Organization,
            body=written(name=name, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def configuration(
        self,
        **request: Unpack[Extras],
    ) -> SyncPage[_types.ConfigurationSetting]:
        """
        List the gateway's settings and where each is set. For the gateway's first organization. They are changed in the
        file. Possible secrets are left out.
        """
        return self._get_api_list(
            "/organization/configuration",
            page=SyncPage[_types.ConfigurationSetting],
            options=sent(given(), administration(self._client), **request),
            model=_types.ConfigurationSetting,
        )

    def about(
        self,
        **request: Unpack[Extras],
    ) -> _types.About:
        """
        Get versions and facts of the running gateway.
        """
        return self._get(
            "/organization/about",
            cast_to=_types.About,
            options=sent(given(), administration(self._client), **request),
        )

    def search(
        self,
        *,
        query: str,
        types: str | None = None,
        limit: int | None = None,
        **request: Unpack[Extras],
    ) -> SyncPage[_types.SearchResult]:
        """
        Find models, routes, keys, people and other named objects, and a request by its id. By name, email or id,
        ignoring case; matches at the beginning come first. A request needs its complete id. Results include only what
        the caller may read.

        Args:
            query: The words to find; each must be in a name.
            types: Only these types, separated by commas: request, model, route, provider, api_key, admin_api_key,
                user, project, group, budget.
            limit: Results of each type.
        """
        return self._get_api_list(
            "/organization/search",
            page=SyncPage[_types.SearchResult],
            options=sent(given(query=query, types=types, limit=limit), administration(self._client), **request),
            model=_types.SearchResult,
        )


class AsyncSettingsProjectsApiKeys(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsProjectsApiKeysWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsProjectsApiKeysWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsProjectsApiKeysWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsProjectsApiKeysWithStreamingResponse(self)

    def list(
        self,
        project_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        owner_project_access: Literal["active", "inactive", "any"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.ProjectApiKey, AsyncCursorPage[_types.ProjectApiKey]]:
        """
        List the keys of a project with their use.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
            owner_project_access: Keys of owners who are in the project, of others, or all.
        """
        return self._get_api_list(
            path("/organization/projects/{project_id}/api_keys", project_id=project_id),
            page=AsyncCursorPage[_types.ProjectApiKey],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                    owner_project_access=owner_project_access,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.ProjectApiKey,
        )

    def list_all(
        self,
        *,
        limit: int = 500,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        search: str | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.PlacedApiKey, AsyncCursorPage[_types.PlacedApiKey]]:
        """
        List the keys of all projects, or of the projects that the caller may read. Archived projects are left out. Not
        in OpenAI's API.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
            search: Only keys with this in their name or id, best match first: up to `limit`, in one page.
        """
        return self._get_api_list(
            "/organization/api_keys",
            page=AsyncCursorPage[_types.PlacedApiKey],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                    search=search,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.PlacedApiKey,
        )

    async def create(
        self,
        project_id: str,
        *,
        name: str,
        user_id: str | None | Omit = omit,
        service_account_id: str | Omit = omit,
        expires_in_seconds: int | None | Omit = omit,
        scopes: Sequence[str] | Omit = omit,
        usage: Literal["organization", "project", "own"] | Omit = omit,
        allowed_models: Sequence[str] | None | Omit = omit,
        ip_ranges: Sequence[str] | None | Omit = omit,
        max_requests_per_1_minute: int | None | Omit = omit,
        max_tokens_per_1_minute: int | None | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.NewProjectApiKey:
        """
        Create a key in a project: for yourself, another person, a service account, or nobody. Not in OpenAI's API.

        Args:
            user_id: Owner of the key (default: the caller, signed in or by key). `null`: no owner, as for keys
                created by such a key. Anything but yourself needs `api.members.write`.
            service_account_id: The service account that owns the key, instead of a person. Needs
                `api.members.write`.
            scopes: Empty for everything. Stored and returned.
            usage: Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a
                wider scope than their own, and a person's key never reads more than the person may.
            ip_ranges: Addresses and ranges such as `10.0.0.0/8`.
        """
        return await self._post(
            path("/organization/projects/{project_id}/api_keys", project_id=project_id),
            cast_to=_types.NewProjectApiKey,
            body=written(
                name=name,
                user_id=user_id,
                service_account_id=service_account_id,
                expires_in_seconds=expires_in_seconds,
                scopes=scopes,
                usage=usage,
                allowed_models=allowed_models,
                ip_ranges=ip_ranges,
                max_requests_per_1_minute=max_requests_per_1_minute,
                max_tokens_per_1_minute=max_tokens_per_1_minute,
                spend_limit=spend_limit,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        project_id: str,
        api_key_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProjectApiKey:
        """
        Get a key.
        """
        return await self._get(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.ProjectApiKey,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        project_id: str,
        api_key_id: str,
        *,
        name: str | Omit = omit,
        scopes: Sequence[str] | Omit = omit,
        usage: Literal["organization", "project", "own"] | Omit = omit,
        allowed_models: Sequence[str] | None | Omit = omit,
        ip_ranges: Sequence[str] | None | Omit = omit,
        max_requests_per_1_minute: int | None | Omit = omit,
        max_tokens_per_1_minute: int | None | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        expires_in_seconds: int | None | Omit = omit,
        enabled: bool | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProjectApiKey:
        """
        Change a key. Members that are left out stay. The change is in force everywhere within a second. A key of
        somebody else also needs `api.members.write`, a product's key `api.products.write`, an admin key an owner.

        Args:
            scopes: Empty for everything. Stored and returned.
            usage: Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a
                wider scope than their own, and a person's key never reads more than the person may.
            ip_ranges: Addresses and ranges such as `10.0.0.0/8`.
            expires_in_seconds: `null` for no expiry.
            enabled: Whether it is enabled.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.ProjectApiKey,
            body=written(
                name=name,
                scopes=scopes,
                usage=usage,
                allowed_models=allowed_models,
                ip_ranges=ip_ranges,
                max_requests_per_1_minute=max_requests_per_1_minute,
                max_tokens_per_1_minute=max_tokens_per_1_minute,
                spend_limit=spend_limit,
                expires_in_seconds=expires_in_seconds,
                enabled=enabled,
                if_version=if_version,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def rotate(
        self,
        project_id: str,
        api_key_id: str,
        *,
        overlap_seconds: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.RotatedApiKey:
        """
        Replace the secret of a key. The old secret stays valid for a while. A key of somebody else also needs
        `api.members.write`, a product's key `api.products.write`, an admin key an owner. If the key reads more usage
        than the person who gets the secret, its scope is reduced to theirs; `usage` in the answer shows it. Your own
        key keeps its scope.

        Args:
            overlap_seconds: How long the old secret stays valid; at most 90 days.
        """
        return await self._post(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}/rotate", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.RotatedApiKey,
            body=written(overlap_seconds=overlap_seconds),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        project_id: str,
        api_key_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProjectApiKeyDeleted:
        """
        Revoke a key permanently. A key of somebody else also needs `api.members.write`, a product's key
        `api.products.write`, an admin key an owner.
        """
        return await self._delete(
            path("/organization/projects/{project_id}/api_keys/{api_key_id}", project_id=project_id, api_key_id=api_key_id),
            cast_to=_types.ProjectApiKeyDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsProjects(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsProjectsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsProjectsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsProjectsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsProjectsWithStreamingResponse(self)

    @cached_property
    def api_keys(self) -> AsyncSettingsProjectsApiKeys:
        return AsyncSettingsProjectsApiKeys(self._client)


class AsyncSettingsModels(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsModelsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsModelsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsModelsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsModelsWithStreamingResponse(self)

    def access(
        self,
        model_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.ModelAccess, AsyncCursorPage[_types.ModelAccess]]:
        """
        List the projects with whether they, and how many of their keys, may use a model. The model's name in calls, or
        an alias; slashes are written `%2F`. Archived projects are left out.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/organization/models/{model_id}/access", model_id=model_id),
            page=AsyncCursorPage[_types.ModelAccess],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.ModelAccess,
        )

    def prices(
        self,
        model_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.ModelPrice, AsyncCursorPage[_types.ModelPrice]]:
        """
        List a model's past, present and future prices. Prices that were set, the present one, and those that calls were
        billed by. Slashes in the name are encoded as `%2F`. Prices belong to the gateway: its first organization sets
        them, and they apply to all.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/organization/models/{model_id}/prices", model_id=model_id),
            page=AsyncCursorPage[_types.ModelPrice],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.ModelPrice,
        )


class AsyncSettingsLimitUse(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsLimitUseWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsLimitUseWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsLimitUseWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsLimitUseWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        least_percent: int | None = None,
        measure: Literal["spend_usd", "requests", "tokens"] | None = None,
        include_archived: bool | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.LimitUse, AsyncCursorPage[_types.LimitUse]]:
        """
        List the limits of the organization and its projects with their use. Monthly spend limits for readers of
        budgets, and rate limits of models for readers of usage. The configuration's own rate limits are left out, and
        archived projects unless they are included.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
            least_percent: Only limits used at least this much, in percent: 80 finds those nearly used up.
            measure: Only limits of this.
            include_archived: Whether spend limits of archived projects are listed, too.
        """
        return self._get_api_list(
            "/organization/limit_use",
            page=AsyncCursorPage[_types.LimitUse],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    order=order,
                    least_percent=least_percent,
                    measure=measure,
                    include_archived=include_archived,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.LimitUse,
        )


class AsyncSettingsSpendLimits(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsSpendLimitsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsSpendLimitsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsSpendLimitsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsSpendLimitsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 1000,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.SpendLimit, AsyncCursorPage[_types.SpendLimit]]:
        """
        List the monthly spend limits of the organization and its projects.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/spend_limits",
            page=AsyncCursorPage[_types.SpendLimit],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.SpendLimit,
        )


class AsyncSettingsBudgets(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsBudgetsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsBudgetsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsBudgetsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsBudgetsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.Budget, AsyncCursorPage[_types.Budget]]:
        """
        List budgets with their spending.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/budgets",
            page=AsyncCursorPage[_types.Budget],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.Budget,
        )

    async def create(
        self,
        *,
        name: str,
        holders: Sequence[Mapping[str, Any]],
        amount_usd: float | str,
        interval: Literal["life", "day", "week", "month"] | Omit = omit,
        hard: bool | Omit = omit,
        alerts: Sequence[float] | Omit = omit,
        recipients: Sequence[str] | Omit = omit,
        overrides: Sequence[Mapping[str, Any]] | Omit = omit,
        models: Sequence[str] | None | Omit = omit,
        instead: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Budget:
        """
        Create a budget for a project, group, person, key, product or all, or several of them together. Spending of its
        holders in the current period counts; for groups, `models`, `instead` and `life` it counts from now on. Every
        process goes by it within a second.

        Args:
            holders: Its holders, who share it. For a `group` or `user`, the keys that people own.
            amount_usd: A number, or a text for exact values: `"12.345678901"`.
            interval: In UTC; weeks begin on Monday.
            hard: Whether calls are refused once it is used up; otherwise it only counts.
            alerts: Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`.
            recipients: Email addresses for its alerts.
            overrides: Temporary additions; ended ones are left out.
            models: The models and routes that it applies to; `null` for all.
            instead: The model or route that serves once it is used up. Those calls count against other budgets
                only.
        """
        return await self._post(
            "/organization/budgets",
            cast_to=_types.Budget,
            body=written(
                name=name,
                holders=holders,
                amount_usd=amount_usd,
                interval=interval,
                hard=hard,
                alerts=alerts,
                recipients=recipients,
                overrides=overrides,
                models=models,
                instead=instead,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        budget_id: str,
        **request: Unpack[Extras],
    ) -> _types.Budget:
        """
        Get a budget with its spending.
        """
        return await self._get(
            path("/organization/budgets/{budget_id}", budget_id=budget_id),
            cast_to=_types.Budget,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        budget_id: str,
        *,
        name: str | Omit = omit,
        holders: Sequence[Mapping[str, Any]] | Omit = omit,
        amount_usd: float | str | Omit = omit,
        interval: Literal["life", "day", "week", "month"] | Omit = omit,
        hard: bool | Omit = omit,
        alerts: Sequence[float] | Omit = omit,
        recipients: Sequence[str] | Omit = omit,
        overrides: Sequence[Mapping[str, Any]] | Omit = omit,
        models: Sequence[str] | None | Omit = omit,
        instead: str | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Budget:
        """
        Change a budget. Members that are left out stay, and so does its spending.

        Args:
            holders: Its holders, who share it. For a `group` or `user`, the keys that people own.
            amount_usd: A number, or a text for exact values: `"12.345678901"`.
            interval: In UTC; weeks begin on Monday.
            hard: Whether calls are refused once it is used up; otherwise it only counts.
            alerts: Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`.
            recipients: Email addresses for its alerts.
            overrides: Temporary additions; ended ones are left out.
            models: The models and routes that it applies to; `null` for all.
            instead: The model or route that serves once it is used up. Those calls count against other budgets
                only.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/budgets/{budget_id}", budget_id=budget_id),
            cast_to=_types.Budget,
            body=written(
                name=name,
                holders=holders,
                amount_usd=amount_usd,
                interval=interval,
                hard=hard,
                alerts=alerts,
                recipients=recipients,
                overrides=overrides,
                models=models,
                instead=instead,
                if_version=if_version,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        budget_id: str,
        **request: Unpack[Extras],
    ) -> _types.BudgetDeleted:
        """
        Delete a budget. What it has spent is forgotten.
        """
        return await self._delete(
            path("/organization/budgets/{budget_id}", budget_id=budget_id),
            cast_to=_types.BudgetDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsInvites(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsInvitesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsInvitesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsInvitesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsInvitesWithStreamingResponse(self)

    async def create(
        self,
        *,
        email: str,
        role: Literal["owner", "reader"],
        projects: Sequence[Mapping[str, Any]] | None | Omit = omit,
        groups: Sequence[str] | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.InviteCreated:
        """
        Invite somebody for 7 days. Nobody can invite with more permissions than their own: only an owner invites
        owners.

        Args:
            groups: Ids of groups that the person joins. Not in OpenAI's API.
        """
        return await self._post(
            "/organization/invites",
            cast_to=_types.InviteCreated,
            body=written(email=email, role=role, projects=projects, groups=groups),
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsWebhookEndpoints(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsWebhookEndpointsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsWebhookEndpointsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsWebhookEndpointsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsWebhookEndpointsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.WebhookEndpoint, AsyncCursorPage[_types.WebhookEndpoint]]:
        """
        List the organization's webhook endpoints, newest first.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            "/webhook_endpoints",
            page=AsyncCursorPage[_types.WebhookEndpoint],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.WebhookEndpoint,
        )

    async def create(
        self,
        *,
        name: str,
        url: str,
        event_types: Sequence[Literal["spend_alert.triggered", "spend_limit.reached", "api_key.created", "api_key.rotated", "api_key.deleted", "project.created", "project.archived"]],
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpointWithSecret:
        """
        Create a webhook endpoint. Requests are signed as in Standard Webhooks, and repeated with growing pauses for a
        day until one is answered with 2xx. The `webhook-id` stays the same.

        Args:
            url: The public https address that events are sent to.
        """
        return await self._post(
            "/webhook_endpoints",
            cast_to=_types.WebhookEndpointWithSecret,
            body=written(name=name, url=url, event_types=event_types),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        webhook_id: str,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpoint:
        """
        Get an endpoint.
        """
        return await self._get(
            path("/webhook_endpoints/{webhook_id}", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpoint,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        webhook_id: str,
        *,
        name: str | Omit = omit,
        url: str | Omit = omit,
        event_types: Sequence[Literal["spend_alert.triggered", "spend_limit.reached", "api_key.created", "api_key.rotated", "api_key.deleted", "project.created", "project.archived"]] | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpoint:
        """
        Change an endpoint.

        Args:
            url: The public https address that events are sent to.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/webhook_endpoints/{webhook_id}", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpoint,
            body=written(name=name, url=url, event_types=event_types, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        webhook_id: str,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpointDeleted:
        """
        Delete an endpoint, and what it was still to be told.
        """
        return await self._delete(
            path("/webhook_endpoints/{webhook_id}", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpointDeleted,
            options=sent(given(), administration(self._client), **request),
        )

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        keep_old_secret_active_for_24_hours: bool | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.WebhookEndpointWithSecret:
        """
        Replace the secret of an endpoint.

        Args:
            keep_old_secret_active_for_24_hours: Whether requests are signed with both secrets for a day.
        """
        return await self._post(
            path("/webhook_endpoints/{webhook_id}/rotate_secret", webhook_id=webhook_id),
            cast_to=_types.WebhookEndpointWithSecret,
            body=written(keep_old_secret_active_for_24_hours=keep_old_secret_active_for_24_hours),
            options=sent(given(), administration(self._client), **request),
        )

    async def test(
        self,
        webhook_id: str,
        *,
        event_type: Literal["spend_alert.triggered", "spend_limit.reached", "api_key.created", "api_key.rotated", "api_key.deleted", "project.created", "project.archived"],
        **request: Unpack[Extras],
    ) -> _types.WebhookTestResult:
        """
        Send one test event to an endpoint.
        """
        return await self._post(
            path("/webhook_endpoints/{webhook_id}/test", webhook_id=webhook_id),
            cast_to=_types.WebhookTestResult,
            body=written(event_type=event_type),
            options=sent(given(), administration(self._client), **request),
        )

    def deliveries(
        self,
        webhook_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.WebhookDelivery, AsyncCursorPage[_types.WebhookDelivery]]:
        """
        List the deliveries to an endpoint of the last 30 days, newest first.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/webhook_endpoints/{webhook_id}/deliveries", webhook_id=webhook_id),
            page=AsyncCursorPage[_types.WebhookDelivery],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.WebhookDelivery,
        )

    async def event_types(
        self,
        **request: Unpack[Extras],
    ) -> _types.WebhookEventTypeList:
        """
        List the types of webhook events.
        """
        return await self._get(
            "/webhook_event_types",
            cast_to=_types.WebhookEventTypeList,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsProvidersCredentials(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsProvidersCredentialsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsProvidersCredentialsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsProvidersCredentialsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsProvidersCredentialsWithStreamingResponse(self)

    async def create(
        self,
        provider_id: str,
        *,
        key: str,
        name: str | Omit = omit,
        weight: int | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProviderCredential:
        """
        Add a key to a provider.

        Args:
            key: The vendor's key. It is encrypted and never shown again.
            name: Name for targets of routes.
            weight: Its share of the calls; with 0, only targets that name it use it.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/providers/{provider_id}/credentials", provider_id=provider_id),
            cast_to=_types.ProviderCredential,
            body=written(key=key, name=name, weight=weight, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        provider_id: str,
        credential_id: str,
        *,
        name: str | Omit = omit,
        key: str | Omit = omit,
        weight: int | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProviderCredential:
        """
        Change a credential: its name, its share of the calls, or the key itself.

        Args:
            key: The vendor's key. It is encrypted and never shown again.
            weight: Its share of the calls; with 0, only targets that name it use it.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/providers/{provider_id}/credentials/{credential_id}", provider_id=provider_id, credential_id=credential_id),
            cast_to=_types.ProviderCredential,
            body=written(name=name, key=key, weight=weight, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        provider_id: str,
        credential_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProviderCredentialDeleted:
        """
        Delete a key of a provider.
        """
        return await self._delete(
            path("/organization/providers/{provider_id}/credentials/{credential_id}", provider_id=provider_id, credential_id=credential_id),
            cast_to=_types.ProviderCredentialDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsProviders(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsProvidersWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsProvidersWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsProvidersWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsProvidersWithStreamingResponse(self)

    @cached_property
    def credentials(self) -> AsyncSettingsProvidersCredentials:
        return AsyncSettingsProvidersCredentials(self._client)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.Provider, AsyncCursorPage[_types.Provider]]:
        """
        List the providers by id: those of the configuration file, where they are changed, and others.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/providers",
            page=AsyncCursorPage[_types.Provider],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.Provider,
        )

    def presets(
        self,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.ProviderPreset, AsyncPage[_types.ProviderPreset]]:
        """
        List the known vendors. These need only a key.
        """
        return self._get_api_list(
            "/organization/provider_presets",
            page=AsyncPage[_types.ProviderPreset],
            options=sent(given(), administration(self._client), **request),
            model=_types.ProviderPreset,
        )

    async def create(
        self,
        *,
        id: str,
        preset: str | Omit = omit,
        base_url: str | Omit = omit,
        label: str | Omit = omit,
        dialects: Sequence[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]] | Omit = omit,
        models: Sequence[Mapping[str, Any]] | Omit = omit,
        only: Sequence[Mapping[str, Any]] | Omit = omit,
        unknown_models: Literal["pass", "refuse"] | Omit = omit,
        region: str | Omit = omit,
        shared_ids: Literal["refuse", "allow"] | Omit = omit,
        credentials: Sequence[Mapping[str, Any]] | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Provider:
        """
        Add a provider. It can be called within a second.

        Args:
            id: The prefix of its models: `openai/gpt-4o`.
            preset: The vendor preset with address and quirks (default: the one with the same id).
                `provider_presets` lists them.
            base_url: Where it is: over https, and public.
            label: Display name.
            dialects: Formats it supports.
            models: Models beyond those of the catalog and its own list, or facts of these.
            only: The only models it serves.
            unknown_models: `refuse`: unlisted names are not sent to it.
            region: The region that it serves from, such as eu; routes can require it.
            shared_ids: Whether calls may refer to files and other objects in its account.
        """
        return await self._post(
            "/organization/providers",
            cast_to=_types.Provider,
            body=written(
                id=id,
                preset=preset,
                base_url=base_url,
                label=label,
                dialects=dialects,
                models=models,
                only=only,
                unknown_models=unknown_models,
                region=region,
                shared_ids=shared_ids,
                credentials=credentials,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def test(
        self,
        *,
        provider_id: str | Omit = omit,
        credential_id: str | Omit = omit,
        preset: str | Omit = omit,
        base_url: str | Omit = omit,
        label: str | Omit = omit,
        dialects: Sequence[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]] | Omit = omit,
        models: Sequence[Mapping[str, Any]] | Omit = omit,
        only: Sequence[Mapping[str, Any]] | Omit = omit,
        unknown_models: Literal["pass", "refuse"] | Omit = omit,
        region: str | Omit = omit,
        shared_ids: Literal["refuse", "allow"] | Omit = omit,
        key: str | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProviderTest:
        """
        Test an existing, changed or new provider by asking for its models. Nothing is stored, and vendors bill nothing.

        Args:
            provider_id: An existing provider; other given members override its own.
            credential_id: The key to send (default: the first).
            preset: The vendor preset with address and quirks (default: the one with the same id).
                `provider_presets` lists them.
            base_url: Where it is: over https, and public.
            label: Display name.
            dialects: Formats it supports.
            models: Models beyond those of the catalog and its own list, or facts of these.
            only: The only models it serves.
            unknown_models: `refuse`: unlisted names are not sent to it.
            region: The region that it serves from, such as eu; routes can require it.
            shared_ids: Whether calls may refer to files and other objects in its account.
            key: The vendor's key. It is encrypted and never shown again.
        """
        return await self._post(
            "/organization/providers/test",
            cast_to=_types.ProviderTest,
            body=written(
                provider_id=provider_id,
                credential_id=credential_id,
                preset=preset,
                base_url=base_url,
                label=label,
                dialects=dialects,
                models=models,
                only=only,
                unknown_models=unknown_models,
                region=region,
                shared_ids=shared_ids,
                key=key,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        provider_id: str,
        **request: Unpack[Extras],
    ) -> _types.Provider:
        """
        Get a provider with its status.
        """
        return await self._get(
            path("/organization/providers/{provider_id}", provider_id=provider_id),
            cast_to=_types.Provider,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        provider_id: str,
        *,
        preset: str | None | Omit = omit,
        base_url: str | None | Omit = omit,
        label: str | None | Omit = omit,
        dialects: Sequence[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]] | None | Omit = omit,
        models: Sequence[Mapping[str, Any]] | None | Omit = omit,
        only: Sequence[Mapping[str, Any]] | None | Omit = omit,
        unknown_models: Literal["pass", "refuse"] | None | Omit = omit,
        region: str | None | Omit = omit,
        shared_ids: Literal["refuse", "allow"] | None | Omit = omit,
        credentials: Sequence[Mapping[str, Any]] | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Provider:
        """
        Change a provider.

        Args:
            credentials: Replaces all its keys. Required with a new address.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/providers/{provider_id}", provider_id=provider_id),
            cast_to=_types.Provider,
            body=written(
                preset=preset,
                base_url=base_url,
                label=label,
                dialects=dialects,
                models=models,
                only=only,
                unknown_models=unknown_models,
                region=region,
                shared_ids=shared_ids,
                credentials=credentials,
                if_version=if_version,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        provider_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProviderDeleted:
        """
        Delete a provider with its keys: it cannot be called any more within a second.
        """
        return await self._delete(
            path("/organization/providers/{provider_id}", provider_id=provider_id),
            cast_to=_types.ProviderDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsRoutesVersions(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsRoutesVersionsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsRoutesVersionsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsRoutesVersionsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsRoutesVersionsWithStreamingResponse(self)

    def list(
        self,
        route_id: str,
        *,
        limit: int = 100,
        after: str | None = None,
        before: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.OrganizationRouteVersion, AsyncCursorPage[_types.OrganizationRouteVersion]]:
        """
        List the versions of a stored route, oldest first.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            before: Id of the first item of the next page.
            order: By creation time.
        """
        return self._get_api_list(
            path("/organization/routes/{route_id}/versions", route_id=route_id),
            page=AsyncCursorPage[_types.OrganizationRouteVersion],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    before=before,
                    order=order,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.OrganizationRouteVersion,
        )

    async def create(
        self,
        route_id: str,
        *,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        note: str | None | Omit = omit,
        in_force: bool | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteVersionWhole:
        """
        Give a stored route a new definition. An earlier definition becomes the earlier version again.

        Args:
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            note: Reason, for people.
            in_force: `false`: store it without using it.
            if_version: The `version` of the route that was read.
        """
        return await self._post(
            path("/organization/routes/{route_id}/versions", route_id=route_id),
            cast_to=_types.OrganizationRouteVersionWhole,
            body=written(definition=definition, yaml=yaml, note=note, in_force=in_force, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        route_id: str,
        version_id: str,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteVersionWhole:
        """
        Get a version with its definition.
        """
        return await self._get(
            path("/organization/routes/{route_id}/versions/{version_id}", route_id=route_id, version_id=version_id),
            cast_to=_types.OrganizationRouteVersionWhole,
            options=sent(given(), administration(self._client), **request),
        )

    async def diff(
        self,
        route_id: str,
        version_id: str,
        *,
        from_: str | None = None,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteDiff:
        """
        Get the differences between two versions of a route.

        Args:
            from_: The version to compare with (default: the one in force).
        """
        return await self._get(
            path("/organization/routes/{route_id}/versions/{version_id}/diff", route_id=route_id, version_id=version_id),
            cast_to=_types.OrganizationRouteDiff,
            options=sent(given(**{"from": from_}), administration(self._client), **request),
        )


class AsyncSettingsRoutes(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsRoutesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsRoutesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsRoutesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsRoutesWithStreamingResponse(self)

    @cached_property
    def versions(self) -> AsyncSettingsRoutesVersions:
        return AsyncSettingsRoutesVersions(self._client)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.OrganizationRoute, AsyncCursorPage[_types.OrganizationRoute]]:
        """
        List the routes of the configuration and of the store, by id. Routes belong to the gateway: its first
        organization manages them, and all may call them. Slashes in an id are encoded as `%2F`.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/routes",
            page=AsyncCursorPage[_types.OrganizationRoute],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.OrganizationRoute,
        )

    async def create(
        self,
        *,
        id: str,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        note: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Store a route, which calls may use within a second.

        Args:
            id: The model name that callers send, such as `acme/fast`.
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            note: Reason, for people.
        """
        return await self._post(
            "/organization/routes",
            cast_to=_types.OrganizationRouteWhole,
            body=written(id=id, definition=definition, yaml=yaml, note=note),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        route_id: str,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Get a route with its definition.
        """
        return await self._get(
            path("/organization/routes/{route_id}", route_id=route_id),
            cast_to=_types.OrganizationRouteWhole,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        route_id: str,
        *,
        version_in_force: str | Omit = omit,
        canary: Mapping[str, Any] | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Put a version of a stored route in force, or give another version a share of its conversations.

        Args:
            version_in_force: The id of a version of this route.
            canary: `null` ends it.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/routes/{route_id}", route_id=route_id),
            cast_to=_types.OrganizationRouteWhole,
            body=written(version_in_force=version_in_force, canary=canary, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def rollback(
        self,
        route_id: str,
        *,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteWhole:
        """
        Restore the previous version.

        Args:
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/routes/{route_id}/rollback", route_id=route_id),
            cast_to=_types.OrganizationRouteWhole,
            body=written(if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        route_id: str,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteDeleted:
        """
        Remove a route from the store, with its versions. Usage records stay.
        """
        return await self._delete(
            path("/organization/routes/{route_id}", route_id=route_id),
            cast_to=_types.OrganizationRouteDeleted,
            options=sent(given(), administration(self._client), **request),
        )

    async def validate(
        self,
        *,
        id: str,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteCheck:
        """
        Check the draft of a route. Nothing is stored.

        Args:
            id: The model name that callers send, such as `acme/fast`.
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
        """
        return await self._post(
            "/organization/routes/validate",
            cast_to=_types.OrganizationRouteCheck,
            body=written(id=id, definition=definition, yaml=yaml),
            options=sent(given(), administration(self._client), **request),
        )

    async def explain(
        self,
        route_id: str,
        *,
        call: Mapping[str, Any],
        surface: Literal["chat", "responses", "messages", "embeddings"] | Omit = omit,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        version_id: str | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.RouteDecision:
        """
        Show who would serve a call, and why, by a route or its draft. No provider is called, and nothing is recorded.

        Args:
            call: The body of the call; its `model` is ignored.
            surface: Type of the call (default: determined by its members).
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            version_id: A version of the route instead of a draft (default: the version in force).
        """
        return await self._post(
            path("/organization/routes/{route_id}/explain", route_id=route_id),
            cast_to=_types.RouteDecision,
            body=written(call=call, surface=surface, definition=definition, yaml=yaml, version_id=version_id),
            options=sent(given(), administration(self._client), **request),
        )

    async def replay(
        self,
        route_id: str,
        *,
        definition: Mapping[str, Any] | Omit = omit,
        yaml: str | Omit = omit,
        version_id: str | Omit = omit,
        since: int | Omit = omit,
        limit: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.OrganizationRouteReplayed:
        """
        Decide past calls of a route again by a draft, and show what would change. Each call is decided from its record:
        its features, the health of the targets then, the same random numbers. Expected costs use the prices known now.
        It takes at most 10 seconds, and one replay runs at a time. Its sums cover everybody's calls, so it also needs
        the permission `api.usage.read`.

        Args:
            definition: The definition of the route as in a file, in JSON; alternative to `yaml`.
            yaml: The same as YAML: only the definition, or a complete configuration with it. Variables are not
                allowed.
            version_id: A version of the route instead of a draft (default: the version in force).
            since: Start in Unix seconds (default: seven days ago).
            limit: Only the first calls.
        """
        return await self._post(
            path("/organization/routes/{route_id}/replay", route_id=route_id),
            cast_to=_types.OrganizationRouteReplayed,
            body=written(definition=definition, yaml=yaml, version_id=version_id, since=since, limit=limit),
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsProducts(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsProductsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsProductsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsProductsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsProductsWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.Product, AsyncCursorPage[_types.Product]]:
        """
        List the products of the configuration file, where they are changed, and of the settings, by id. Products belong
        to the gateway: its first organization manages them.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/products",
            page=AsyncCursorPage[_types.Product],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.Product,
        )

    async def create(
        self,
        *,
        id: str,
        project_id: str | Omit = omit,
        expires_in_seconds: int | None | Omit = omit,
        expires_at: int | Omit = omit,
        name: str | Omit = omit,
        routes: Sequence[str] | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.ProductWithKey:
        """
        Create a product with its first key, whose secret is shown only here. The key works within a second. Products
        belong to the gateway: its first organization manages them.

        Args:
            id: Letters, digits, `_` and `-`. Used in usage records.
            project_id: Project of its key (default: the default project).
            expires_in_seconds: Expiry of its key (default: never).
            expires_at: The expiry as a time, in Unix seconds, instead of `expires_in_seconds`.
            name: Default: the id.
            routes: Default: the system route.
            spend_limit: Total its keys may spend; `null`: as much as its keys allow.
        """
        return await self._post(
            "/organization/products",
            cast_to=_types.ProductWithKey,
            body=written(
                id=id,
                project_id=project_id,
                expires_in_seconds=expires_in_seconds,
                expires_at=expires_at,
                name=name,
                routes=routes,
                spend_limit=spend_limit,
            ),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        product_id: str,
        **request: Unpack[Extras],
    ) -> _types.Product:
        """
        Get a product with its spending and keys.
        """
        return await self._get(
            path("/organization/products/{product_id}", product_id=product_id),
            cast_to=_types.Product,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        product_id: str,
        *,
        name: str | Omit = omit,
        routes: Sequence[str] | Omit = omit,
        spend_limit: Mapping[str, Any] | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Product:
        """
        Change a product. Members that are left out stay, and so does its spending.

        Args:
            routes: Routes, models and aliases that its keys may call.
            spend_limit: Total its keys may spend; `null`: as much as its keys allow.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/products/{product_id}", product_id=product_id),
            cast_to=_types.Product,
            body=written(name=name, routes=routes, spend_limit=spend_limit, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def rotate(
        self,
        product_id: str,
        *,
        api_key_id: str | Omit = omit,
        overlap_seconds: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.RotatedProductKey:
        """
        Replace the secret of a product's key, or create the first key. Products of the file are accepted too.

        Args:
            api_key_id: Required if it has several keys.
            overlap_seconds: How long the old secret stays valid; at most 90 days.
        """
        return await self._post(
            path("/organization/products/{product_id}/rotate", product_id=product_id),
            cast_to=_types.RotatedProductKey,
            body=written(api_key_id=api_key_id, overlap_seconds=overlap_seconds),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        product_id: str,
        **request: Unpack[Extras],
    ) -> _types.ProductDeleted:
        """
        Delete a product, and revoke its keys. Usage records stay; another of its id goes on with what was spent.
        """
        return await self._delete(
            path("/organization/products/{product_id}", product_id=product_id),
            cast_to=_types.ProductDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsPriceOverrides(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsPriceOverridesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsPriceOverridesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsPriceOverridesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsPriceOverridesWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        model: str | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.PriceOverride, AsyncCursorPage[_types.PriceOverride]]:
        """
        List the prices that were set for models, including ended ones, and those of the configuration file. Prices
        belong to the gateway: its first organization sets them, and they apply to all.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
            model: Only those of this model.
        """
        return self._get_api_list(
            "/organization/price_overrides",
            page=AsyncCursorPage[_types.PriceOverride],
            options=sent(
                given(
                    limit=limit,
                    after=after,
                    order=order,
                    model=model,
                ),
                administration(self._client),
                **request,
            ),
            model=_types.PriceOverride,
        )

    async def create(
        self,
        *,
        model: str,
        price: Mapping[str, Any],
        effective_at: int | Omit = omit,
        note: str | None | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.PriceOverride:
        """
        Set a model's price from a time on. It applies to calls that begin then; earlier ones do not change. Prices
        belong to the gateway: its first organization sets them, and they apply to all.

        Args:
            model: `provider/model`, or a name that leads to a model.
            price: As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and
                so on, in dollars.
            effective_at: Default: now.
            note: Reason, for people.
        """
        return await self._post(
            "/organization/price_overrides",
            cast_to=_types.PriceOverride,
            body=written(model=model, price=price, effective_at=effective_at, note=note),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        price_override_id: str,
        **request: Unpack[Extras],
    ) -> _types.PriceOverride:
        """
        Get a price.
        """
        return await self._get(
            path("/organization/price_overrides/{price_override_id}", price_override_id=price_override_id),
            cast_to=_types.PriceOverride,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        price_override_id: str,
        *,
        price: Mapping[str, Any] | Omit = omit,
        effective_at: int | Omit = omit,
        note: str | None | Omit = omit,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.PriceOverride:
        """
        Change a price that has not begun. A later one must follow a price in force, so that bills stay.

        Args:
            price: As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and
                so on, in dollars.
            effective_at: From when on it bills, in Unix seconds: now or later.
            note: Reason, for people.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/price_overrides/{price_override_id}", price_override_id=price_override_id),
            cast_to=_types.PriceOverride,
            body=written(price=price, effective_at=effective_at, note=note, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        price_override_id: str,
        **request: Unpack[Extras],
    ) -> _types.PriceOverrideDeleted:
        """
        End a price now, so that the model costs what it would without it. It stays in the history.
        """
        return await self._delete(
            path("/organization/price_overrides/{price_override_id}", price_override_id=price_override_id),
            cast_to=_types.PriceOverrideDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsAliases(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsAliasesWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsAliasesWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsAliasesWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsAliasesWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.Alias, AsyncCursorPage[_types.Alias]]:
        """
        List the aliases of the configuration file, where they are changed, and of the settings, by name. Aliases belong
        to the gateway: its first organization manages them, and all may call them. Slashes in an id are encoded as
        `%2F`.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
            order: By creation time.
        """
        return self._get_api_list(
            "/organization/aliases",
            page=AsyncCursorPage[_types.Alias],
            options=sent(given(limit=limit, after=after, order=order), administration(self._client), **request),
            model=_types.Alias,
        )

    async def create(
        self,
        *,
        id: str,
        target: str,
        **request: Unpack[Extras],
    ) -> _types.Alias:
        """
        Give a model or a route another name, which calls may use within a second. Aliases belong to the gateway: its
        first organization manages them, and all may call them. Slashes in an id are encoded as `%2F`.

        Args:
            id: The model name that callers send, such as `acme/fast`.
            target: The name of a model, a route, or another alias.
        """
        return await self._post(
            "/organization/aliases",
            cast_to=_types.Alias,
            body=written(id=id, target=target),
            options=sent(given(), administration(self._client), **request),
        )

    async def retrieve(
        self,
        alias_id: str,
        **request: Unpack[Extras],
    ) -> _types.Alias:
        """
        Get an alias with its target.
        """
        return await self._get(
            path("/organization/aliases/{alias_id}", alias_id=alias_id),
            cast_to=_types.Alias,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        alias_id: str,
        *,
        target: str,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Alias:
        """
        Change the target of an alias.

        Args:
            target: The name of a model, a route, or another alias.
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            path("/organization/aliases/{alias_id}", alias_id=alias_id),
            cast_to=_types.Alias,
            body=written(target=target, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    async def delete(
        self,
        alias_id: str,
        **request: Unpack[Extras],
    ) -> _types.AliasDeleted:
        """
        Delete an alias: calls cannot name it any more within a second.
        """
        return await self._delete(
            path("/organization/aliases/{alias_id}", alias_id=alias_id),
            cast_to=_types.AliasDeleted,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncSettingsAttention(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsAttentionWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsAttentionWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsAttentionWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsAttentionWithStreamingResponse(self)

    def list(
        self,
        *,
        limit: int = 100,
        after: str | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.AttentionItem, AsyncCursorPage[_types.AttentionItem]]:
        """
        List problems that need attention, worst first. Refused keys, models with an open circuit, rate limits of
        providers, keys and models that were reached in the last hour, and routes with targets that budgets skip for
        lack of a price (for readers of usage and settings); budgets and limits that are 80 % used or refused a call in
        the last hour; models with a shutdown within 60 days that were called in the last 30 days or are in a route; the
        first 200 API keys that expire within 14 days; and API keys older than `usage` that read the usage of the whole
        organization, until it is set. Each kind is shown to those who may read its subject; readers of keys in some
        projects see only these.

        Args:
            limit: Items of one page: all pages are read.
            after: Id of the last item of the previous page.
        """
        return self._get_api_list(
            "/organization/attention",
            page=AsyncCursorPage[_types.AttentionItem],
            options=sent(given(limit=limit, after=after), administration(self._client), **request),
            model=_types.AttentionItem,
        )


class AsyncSettings(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncSettingsWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncSettingsWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncSettingsWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncSettingsWithStreamingResponse(self)

    @cached_property
    def projects(self) -> AsyncSettingsProjects:
        return AsyncSettingsProjects(self._client)

    @cached_property
    def models(self) -> AsyncSettingsModels:
        return AsyncSettingsModels(self._client)

    @cached_property
    def limit_use(self) -> AsyncSettingsLimitUse:
        return AsyncSettingsLimitUse(self._client)

    @cached_property
    def spend_limits(self) -> AsyncSettingsSpendLimits:
        return AsyncSettingsSpendLimits(self._client)

    @cached_property
    def budgets(self) -> AsyncSettingsBudgets:
        return AsyncSettingsBudgets(self._client)

    @cached_property
    def invites(self) -> AsyncSettingsInvites:
        return AsyncSettingsInvites(self._client)

    @cached_property
    def webhook_endpoints(self) -> AsyncSettingsWebhookEndpoints:
        return AsyncSettingsWebhookEndpoints(self._client)

    @cached_property
    def providers(self) -> AsyncSettingsProviders:
        return AsyncSettingsProviders(self._client)

    @cached_property
    def routes(self) -> AsyncSettingsRoutes:
        return AsyncSettingsRoutes(self._client)

    @cached_property
    def products(self) -> AsyncSettingsProducts:
        return AsyncSettingsProducts(self._client)

    @cached_property
    def price_overrides(self) -> AsyncSettingsPriceOverrides:
        return AsyncSettingsPriceOverrides(self._client)

    @cached_property
    def aliases(self) -> AsyncSettingsAliases:
        return AsyncSettingsAliases(self._client)

    @cached_property
    def attention(self) -> AsyncSettingsAttention:
        return AsyncSettingsAttention(self._client)

    async def retrieve(
        self,
        **request: Unpack[Extras],
    ) -> _types.Organization:
        """
        Get the organization.
        """
        return await self._get(
            "/organization",
            cast_to=_types.Organization,
            options=sent(given(), administration(self._client), **request),
        )

    async def update(
        self,
        *,
        name: str,
        if_version: int | Omit = omit,
        **request: Unpack[Extras],
    ) -> _types.Organization:
        """
        Rename the organization.

        Args:
            if_version: The `version` that was read. If another is in force, nothing changes, and the answer is a
                409.
        """
        return await self._post(
            "/organization",
            cast_to=_types.Organization,
            body=written(name=name, if_version=if_version),
            options=sent(given(), administration(self._client), **request),
        )

    def configuration(
        self,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.ConfigurationSetting, AsyncPage[_types.ConfigurationSetting]]:
        """
        List the gateway's settings and where each is set. For the gateway's first organization. They are changed in the
        file. Possible secrets are left out.
        """
        return self._get_api_list(
            "/organization/configuration",
            page=AsyncPage[_types.ConfigurationSetting],
            options=sent(given(), administration(self._client), **request),
            model=_types.ConfigurationSetting,
        )

    async def about(
        self,
        **request: Unpack[Extras],
    ) -> _types.About:
        """
        Get versions and facts of the running gateway.
        """
        return await self._get(
            "/organization/about",
            cast_to=_types.About,
            options=sent(given(), administration(self._client), **request),
        )

    def search(
        self,
        *,
        query: str,
        types: str | None = None,
        limit: int | None = None,
        **request: Unpack[Extras],
    ) -> AsyncPages[_types.SearchResult, AsyncPage[_types.SearchResult]]:
        """
        Find models, routes, keys, people and other named objects, and a request by its id. By name, email or id,
        ignoring case; matches at the beginning come first. A request needs its complete id. Results include only what
        the caller may read.

        Args:
            query: The words to find; each must be in a name.
            types: Only these types, separated by commas: request, model, route, provider, api_key, admin_api_key,
                user, project, group, budget.
            limit: Results of each type.
        """
        return self._get_api_list(
            "/organization/search",
            page=AsyncPage[_types.SearchResult],
            options=sent(given(query=query, types=types, limit=limit), administration(self._client), **request),
            model=_types.SearchResult,
        )


class Status(SyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.StatusWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.StatusWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.StatusWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.StatusWithStreamingResponse(self)

    def retrieve(
        self,
        **request: Unpack[Extras],
    ) -> _types.Status:
        """
        Get the health of all targets. For administrators' keys.
        """
        return self._get(
            "/status",
            cast_to=_types.Status,
            options=sent(given(), administration(self._client), **request),
        )


class AsyncStatus(AsyncAPIResource):
    @cached_property
    def with_raw_response(self) -> raw.AsyncStatusWithRawResponse:
        """The same methods, which return the raw response: its headers, and `parse()`."""
        from . import raw

        return raw.AsyncStatusWithRawResponse(self)

    @cached_property
    def with_streaming_response(self) -> raw.AsyncStatusWithStreamingResponse:
        """The same methods, for `with`: the body of the response is read only when it is asked for."""
        from . import raw

        return raw.AsyncStatusWithStreamingResponse(self)

    async def retrieve(
        self,
        **request: Unpack[Extras],
    ) -> _types.Status:
        """
        Get the health of all targets. For administrators' keys.
        """
        return await self._get(
            "/status",
            cast_to=_types.Status,
            options=sent(given(), administration(self._client), **request),
        )
