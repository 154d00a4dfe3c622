# Written from the gateway’s /openapi.json by clients/openapi/python.ts: not to be edited.
"""The gateway's own operations with raw and with streamed responses, as those of the official client have them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from openai._legacy_response import async_to_raw_response_wrapper, to_raw_response_wrapper
from openai._response import async_to_streamed_response_wrapper, to_streamed_response_wrapper

if TYPE_CHECKING:
    from . import resources


class CatalogWithRawResponse:
    def __init__(self, resource: resources.Catalog) -> None:
        self._resource = resource
        self.info = to_raw_response_wrapper(resource.info)
        self.info_at_root = to_raw_response_wrapper(resource.info_at_root)
        self.list = to_raw_response_wrapper(resource.list)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)


class UsageWithRawResponse:
    def __init__(self, resource: resources.Usage) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.summary = to_raw_response_wrapper(resource.summary)
        self.first_tokens = to_raw_response_wrapper(resource.first_tokens)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)


class FeedbackWithRawResponse:
    def __init__(self, resource: resources.Feedback) -> None:
        self._resource = resource
        self.create = to_raw_response_wrapper(resource.create)


class RoutesWithRawResponse:
    def __init__(self, resource: resources.Routes) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.explain = to_raw_response_wrapper(resource.explain)


class SettingsProjectsApiKeysWithRawResponse:
    def __init__(self, resource: resources.SettingsProjectsApiKeys) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.list_all = to_raw_response_wrapper(resource.list_all)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.rotate = to_raw_response_wrapper(resource.rotate)
        self.delete = to_raw_response_wrapper(resource.delete)


class SettingsProjectsWithRawResponse:
    def __init__(self, resource: resources.SettingsProjects) -> None:
        self._resource = resource

    @cached_property
    def api_keys(self) -> SettingsProjectsApiKeysWithRawResponse:
        return SettingsProjectsApiKeysWithRawResponse(self._resource.api_keys)


class SettingsModelsWithRawResponse:
    def __init__(self, resource: resources.SettingsModels) -> None:
        self._resource = resource
        self.access = to_raw_response_wrapper(resource.access)
        self.prices = to_raw_response_wrapper(resource.prices)


class SettingsLimitUseWithRawResponse:
    def __init__(self, resource: resources.SettingsLimitUse) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)


class SettingsSpendLimitsWithRawResponse:
    def __init__(self, resource: resources.SettingsSpendLimits) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)


class SettingsBudgetsWithRawResponse:
    def __init__(self, resource: resources.SettingsBudgets) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.delete = to_raw_response_wrapper(resource.delete)


class SettingsInvitesWithRawResponse:
    def __init__(self, resource: resources.SettingsInvites) -> None:
        self._resource = resource
        self.create = to_raw_response_wrapper(resource.create)


class SettingsWebhookEndpointsWithRawResponse:
    def __init__(self, resource: resources.SettingsWebhookEndpoints) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.delete = to_raw_response_wrapper(resource.delete)
        self.rotate_secret = to_raw_response_wrapper(resource.rotate_secret)
        self.test = to_raw_response_wrapper(resource.test)
        self.deliveries = to_raw_response_wrapper(resource.deliveries)
        self.event_types = to_raw_response_wrapper(resource.event_types)


class SettingsProvidersCredentialsWithRawResponse:
    def __init__(self, resource: resources.SettingsProvidersCredentials) -> None:
        self._resource = resource
        self.create = to_raw_response_wrapper(resource.create)
        self.update = to_raw_response_wrapper(resource.update)
        self.delete = to_raw_response_wrapper(resource.delete)


class SettingsProvidersWithRawResponse:
    def __init__(self, resource: resources.SettingsProviders) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.presets = to_raw_response_wrapper(resource.presets)
        self.create = to_raw_response_wrapper(resource.create)
        self.test = to_raw_response_wrapper(resource.test)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.delete = to_raw_response_wrapper(resource.delete)

    @cached_property
    def credentials(self) -> SettingsProvidersCredentialsWithRawResponse:
        return SettingsProvidersCredentialsWithRawResponse(self._resource.credentials)


class SettingsRoutesVersionsWithRawResponse:
    def __init__(self, resource: resources.SettingsRoutesVersions) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.diff = to_raw_response_wrapper(resource.diff)


class SettingsRoutesWithRawResponse:
    def __init__(self, resource: resources.SettingsRoutes) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.rollback = to_raw_response_wrapper(resource.rollback)
        self.delete = to_raw_response_wrapper(resource.delete)
        self.validate = to_raw_response_wrapper(resource.validate)
        self.explain = to_raw_response_wrapper(resource.explain)
        self.replay = to_raw_response_wrapper(resource.replay)

    @cached_property
    def versions(self) -> SettingsRoutesVersionsWithRawResponse:
        return SettingsRoutesVersionsWithRawResponse(self._resource.versions)


class SettingsProductsWithRawResponse:
    def __init__(self, resource: resources.SettingsProducts) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.rotate = to_raw_response_wrapper(resource.rotate)
        self.delete = to_raw_response_wrapper(resource.delete)


class SettingsPriceOverridesWithRawResponse:
    def __init__(self, resource: resources.SettingsPriceOverrides) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.delete = to_raw_response_wrapper(resource.delete)


class SettingsAliasesWithRawResponse:
    def __init__(self, resource: resources.SettingsAliases) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)
        self.create = to_raw_response_wrapper(resource.create)
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.delete = to_raw_response_wrapper(resource.delete)


class SettingsAttentionWithRawResponse:
    def __init__(self, resource: resources.SettingsAttention) -> None:
        self._resource = resource
        self.list = to_raw_response_wrapper(resource.list)


class SettingsWithRawResponse:
    def __init__(self, resource: resources.Settings) -> None:
        self._resource = resource
        self.retrieve = to_raw_response_wrapper(resource.retrieve)
        self.update = to_raw_response_wrapper(resource.update)
        self.configuration = to_raw_response_wrapper(resource.configuration)
        self.about = to_raw_response_wrapper(resource.about)
        self.search = to_raw_response_wrapper(resource.search)

    @cached_property
    def projects(self) -> SettingsProjectsWithRawResponse:
        return SettingsProjectsWithRawResponse(self._resource.projects)

    @cached_property
    def models(self) -> SettingsModelsWithRawResponse:
        return SettingsModelsWithRawResponse(self._resource.models)

    @cached_property
    def limit_use(self) -> SettingsLimitUseWithRawResponse:
        return SettingsLimitUseWithRawResponse(self._resource.limit_use)

    @cached_property
    def spend_limits(self) -> SettingsSpendLimitsWithRawResponse:
        return SettingsSpendLimitsWithRawResponse(self._resource.spend_limits)

    @cached_property
    def budgets(self) -> SettingsBudgetsWithRawResponse:
        return SettingsBudgetsWithRawResponse(self._resource.budgets)

    @cached_property
    def invites(self) -> SettingsInvitesWithRawResponse:
        return SettingsInvitesWithRawResponse(self._resource.invites)

    @cached_property
    def webhook_endpoints(self) -> SettingsWebhookEndpointsWithRawResponse:
        return SettingsWebhookEndpointsWithRawResponse(self._resource.webhook_endpoints)

    @cached_property
    def providers(self) -> SettingsProvidersWithRawResponse:
        return SettingsProvidersWithRawResponse(self._resource.providers)

    @cached_property
    def routes(self) -> SettingsRoutesWithRawResponse:
        return SettingsRoutesWithRawResponse(self._resource.routes)

    @cached_property
    def products(self) -> SettingsProductsWithRawResponse:
        return SettingsProductsWithRawResponse(self._resource.products)

    @cached_property
    def price_overrides(self) -> SettingsPriceOverridesWithRawResponse:
        return SettingsPriceOverridesWithRawResponse(self._resource.price_overrides)

    @cached_property
    def aliases(self) -> SettingsAliasesWithRawResponse:
        return SettingsAliasesWithRawResponse(self._resource.aliases)

    @cached_property
    def attention(self) -> SettingsAttentionWithRawResponse:
        return SettingsAttentionWithRawResponse(self._resource.attention)


class StatusWithRawResponse:
    def __init__(self, resource: resources.Status) -> None:
        self._resource = resource
        self.retrieve = to_raw_response_wrapper(resource.retrieve)


class AsyncCatalogWithRawResponse:
    def __init__(self, resource: resources.AsyncCatalog) -> None:
        self._resource = resource
        self.info = async_to_raw_response_wrapper(resource.info)
        self.info_at_root = async_to_raw_response_wrapper(resource.info_at_root)
        self.list = async_to_raw_response_wrapper(resource.list)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)


class AsyncUsageWithRawResponse:
    def __init__(self, resource: resources.AsyncUsage) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.summary = async_to_raw_response_wrapper(resource.summary)
        self.first_tokens = async_to_raw_response_wrapper(resource.first_tokens)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)


class AsyncFeedbackWithRawResponse:
    def __init__(self, resource: resources.AsyncFeedback) -> None:
        self._resource = resource
        self.create = async_to_raw_response_wrapper(resource.create)


class AsyncRoutesWithRawResponse:
    def __init__(self, resource: resources.AsyncRoutes) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.explain = async_to_raw_response_wrapper(resource.explain)


class AsyncSettingsProjectsApiKeysWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsProjectsApiKeys) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.list_all = async_to_raw_response_wrapper(resource.list_all)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.rotate = async_to_raw_response_wrapper(resource.rotate)
        self.delete = async_to_raw_response_wrapper(resource.delete)


class AsyncSettingsProjectsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsProjects) -> None:
        self._resource = resource

    @cached_property
    def api_keys(self) -> AsyncSettingsProjectsApiKeysWithRawResponse:
        return AsyncSettingsProjectsApiKeysWithRawResponse(self._resource.api_keys)


class AsyncSettingsModelsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsModels) -> None:
        self._resource = resource
        self.access = async_to_raw_response_wrapper(resource.access)
        self.prices = async_to_raw_response_wrapper(resource.prices)


class AsyncSettingsLimitUseWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsLimitUse) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)


class AsyncSettingsSpendLimitsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsSpendLimits) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)


class AsyncSettingsBudgetsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsBudgets) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.delete = async_to_raw_response_wrapper(resource.delete)


class AsyncSettingsInvitesWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsInvites) -> None:
        self._resource = resource
        self.create = async_to_raw_response_wrapper(resource.create)


class AsyncSettingsWebhookEndpointsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsWebhookEndpoints) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.delete = async_to_raw_response_wrapper(resource.delete)
        self.rotate_secret = async_to_raw_response_wrapper(resource.rotate_secret)
        self.test = async_to_raw_response_wrapper(resource.test)
        self.deliveries = async_to_raw_response_wrapper(resource.deliveries)
        self.event_types = async_to_raw_response_wrapper(resource.event_types)


class AsyncSettingsProvidersCredentialsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsProvidersCredentials) -> None:
        self._resource = resource
        self.create = async_to_raw_response_wrapper(resource.create)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.delete = async_to_raw_response_wrapper(resource.delete)


class AsyncSettingsProvidersWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsProviders) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.presets = async_to_raw_response_wrapper(resource.presets)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.test = async_to_raw_response_wrapper(resource.test)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.delete = async_to_raw_response_wrapper(resource.delete)

    @cached_property
    def credentials(self) -> AsyncSettingsProvidersCredentialsWithRawResponse:
        return AsyncSettingsProvidersCredentialsWithRawResponse(self._resource.credentials)


class AsyncSettingsRoutesVersionsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsRoutesVersions) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.diff = async_to_raw_response_wrapper(resource.diff)


class AsyncSettingsRoutesWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsRoutes) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.rollback = async_to_raw_response_wrapper(resource.rollback)
        self.delete = async_to_raw_response_wrapper(resource.delete)
        self.validate = async_to_raw_response_wrapper(resource.validate)
        self.explain = async_to_raw_response_wrapper(resource.explain)
        self.replay = async_to_raw_response_wrapper(resource.replay)

    @cached_property
    def versions(self) -> AsyncSettingsRoutesVersionsWithRawResponse:
        return AsyncSettingsRoutesVersionsWithRawResponse(self._resource.versions)


class AsyncSettingsProductsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsProducts) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.rotate = async_to_raw_response_wrapper(resource.rotate)
        self.delete = async_to_raw_response_wrapper(resource.delete)


class AsyncSettingsPriceOverridesWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsPriceOverrides) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.delete = async_to_raw_response_wrapper(resource.delete)


class AsyncSettingsAliasesWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsAliases) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)
        self.create = async_to_raw_response_wrapper(resource.create)
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.delete = async_to_raw_response_wrapper(resource.delete)


class AsyncSettingsAttentionWithRawResponse:
    def __init__(self, resource: resources.AsyncSettingsAttention) -> None:
        self._resource = resource
        self.list = async_to_raw_response_wrapper(resource.list)


class AsyncSettingsWithRawResponse:
    def __init__(self, resource: resources.AsyncSettings) -> None:
        self._resource = resource
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)
        self.update = async_to_raw_response_wrapper(resource.update)
        self.configuration = async_to_raw_response_wrapper(resource.configuration)
        self.about = async_to_raw_response_wrapper(resource.about)
        self.search = async_to_raw_response_wrapper(resource.search)

    @cached_property
    def projects(self) -> AsyncSettingsProjectsWithRawResponse:
        return AsyncSettingsProjectsWithRawResponse(self._resource.projects)

    @cached_property
    def models(self) -> AsyncSettingsModelsWithRawResponse:
        return AsyncSettingsModelsWithRawResponse(self._resource.models)

    @cached_property
    def limit_use(self) -> AsyncSettingsLimitUseWithRawResponse:
        return AsyncSettingsLimitUseWithRawResponse(self._resource.limit_use)

    @cached_property
    def spend_limits(self) -> AsyncSettingsSpendLimitsWithRawResponse:
        return AsyncSettingsSpendLimitsWithRawResponse(self._resource.spend_limits)

    @cached_property
    def budgets(self) -> AsyncSettingsBudgetsWithRawResponse:
        return AsyncSettingsBudgetsWithRawResponse(self._resource.budgets)

    @cached_property
    def invites(self) -> AsyncSettingsInvitesWithRawResponse:
        return AsyncSettingsInvitesWithRawResponse(self._resource.invites)

    @cached_property
    def webhook_endpoints(self) -> AsyncSettingsWebhookEndpointsWithRawResponse:
        return AsyncSettingsWebhookEndpointsWithRawResponse(self._resource.webhook_endpoints)

    @cached_property
    def providers(self) -> AsyncSettingsProvidersWithRawResponse:
        return AsyncSettingsProvidersWithRawResponse(self._resource.providers)

    @cached_property
    def routes(self) -> AsyncSettingsRoutesWithRawResponse:
        return AsyncSettingsRoutesWithRawResponse(self._resource.routes)

    @cached_property
    def products(self) -> AsyncSettingsProductsWithRawResponse:
        return AsyncSettingsProductsWithRawResponse(self._resource.products)

    @cached_property
    def price_overrides(self) -> AsyncSettingsPriceOverridesWithRawResponse:
        return AsyncSettingsPriceOverridesWithRawResponse(self._resource.price_overrides)

    @cached_property
    def aliases(self) -> AsyncSettingsAliasesWithRawResponse:
        return AsyncSettingsAliasesWithRawResponse(self._resource.aliases)

    @cached_property
    def attention(self) -> AsyncSettingsAttentionWithRawResponse:
        return AsyncSettingsAttentionWithRawResponse(self._resource.attention)


class AsyncStatusWithRawResponse:
    def __init__(self, resource: resources.AsyncStatus) -> None:
        self._resource = resource
        self.retrieve = async_to_raw_response_wrapper(resource.retrieve)


class CatalogWithStreamingResponse:
    def __init__(self, resource: resources.Catalog) -> None:
        self._resource = resource
        self.info = to_streamed_response_wrapper(resource.info)
        self.info_at_root = to_streamed_response_wrapper(resource.info_at_root)
        self.list = to_streamed_response_wrapper(resource.list)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)


class UsageWithStreamingResponse:
    def __init__(self, resource: resources.Usage) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.summary = to_streamed_response_wrapper(resource.summary)
        self.first_tokens = to_streamed_response_wrapper(resource.first_tokens)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)


class FeedbackWithStreamingResponse:
    def __init__(self, resource: resources.Feedback) -> None:
        self._resource = resource
        self.create = to_streamed_response_wrapper(resource.create)


class RoutesWithStreamingResponse:
    def __init__(self, resource: resources.Routes) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.explain = to_streamed_response_wrapper(resource.explain)


class SettingsProjectsApiKeysWithStreamingResponse:
    def __init__(self, resource: resources.SettingsProjectsApiKeys) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.list_all = to_streamed_response_wrapper(resource.list_all)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.rotate = to_streamed_response_wrapper(resource.rotate)
        self.delete = to_streamed_response_wrapper(resource.delete)


class SettingsProjectsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsProjects) -> None:
        self._resource = resource

    @cached_property
    def api_keys(self) -> SettingsProjectsApiKeysWithStreamingResponse:
        return SettingsProjectsApiKeysWithStreamingResponse(self._resource.api_keys)


class SettingsModelsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsModels) -> None:
        self._resource = resource
        self.access = to_streamed_response_wrapper(resource.access)
        self.prices = to_streamed_response_wrapper(resource.prices)


class SettingsLimitUseWithStreamingResponse:
    def __init__(self, resource: resources.SettingsLimitUse) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)


class SettingsSpendLimitsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsSpendLimits) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)


class SettingsBudgetsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsBudgets) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.delete = to_streamed_response_wrapper(resource.delete)


class SettingsInvitesWithStreamingResponse:
    def __init__(self, resource: resources.SettingsInvites) -> None:
        self._resource = resource
        self.create = to_streamed_response_wrapper(resource.create)


class SettingsWebhookEndpointsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsWebhookEndpoints) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.delete = to_streamed_response_wrapper(resource.delete)
        self.rotate_secret = to_streamed_response_wrapper(resource.rotate_secret)
        self.test = to_streamed_response_wrapper(resource.test)
        self.deliveries = to_streamed_response_wrapper(resource.deliveries)
        self.event_types = to_streamed_response_wrapper(resource.event_types)


class SettingsProvidersCredentialsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsProvidersCredentials) -> None:
        self._resource = resource
        self.create = to_streamed_response_wrapper(resource.create)
        self.update = to_streamed_response_wrapper(resource.update)
        self.delete = to_streamed_response_wrapper(resource.delete)


class SettingsProvidersWithStreamingResponse:
    def __init__(self, resource: resources.SettingsProviders) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.presets = to_streamed_response_wrapper(resource.presets)
        self.create = to_streamed_response_wrapper(resource.create)
        self.test = to_streamed_response_wrapper(resource.test)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.delete = to_streamed_response_wrapper(resource.delete)

    @cached_property
    def credentials(self) -> SettingsProvidersCredentialsWithStreamingResponse:
        return SettingsProvidersCredentialsWithStreamingResponse(self._resource.credentials)


class SettingsRoutesVersionsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsRoutesVersions) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.diff = to_streamed_response_wrapper(resource.diff)


class SettingsRoutesWithStreamingResponse:
    def __init__(self, resource: resources.SettingsRoutes) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.rollback = to_streamed_response_wrapper(resource.rollback)
        self.delete = to_streamed_response_wrapper(resource.delete)
        self.validate = to_streamed_response_wrapper(resource.validate)
        self.explain = to_streamed_response_wrapper(resource.explain)
        self.replay = to_streamed_response_wrapper(resource.replay)

    @cached_property
    def versions(self) -> SettingsRoutesVersionsWithStreamingResponse:
        return SettingsRoutesVersionsWithStreamingResponse(self._resource.versions)


class SettingsProductsWithStreamingResponse:
    def __init__(self, resource: resources.SettingsProducts) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.rotate = to_streamed_response_wrapper(resource.rotate)
        self.delete = to_streamed_response_wrapper(resource.delete)


class SettingsPriceOverridesWithStreamingResponse:
    def __init__(self, resource: resources.SettingsPriceOverrides) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.delete = to_streamed_response_wrapper(resource.delete)


class SettingsAliasesWithStreamingResponse:
    def __init__(self, resource: resources.SettingsAliases) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)
        self.create = to_streamed_response_wrapper(resource.create)
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.delete = to_streamed_response_wrapper(resource.delete)


class SettingsAttentionWithStreamingResponse:
    def __init__(self, resource: resources.SettingsAttention) -> None:
        self._resource = resource
        self.list = to_streamed_response_wrapper(resource.list)


class SettingsWithStreamingResponse:
    def __init__(self, resource: resources.Settings) -> None:
        self._resource = resource
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)
        self.update = to_streamed_response_wrapper(resource.update)
        self.configuration = to_streamed_response_wrapper(resource.configuration)
        self.about = to_streamed_response_wrapper(resource.about)
        self.search = to_streamed_response_wrapper(resource.search)

    @cached_property
    def projects(self) -> SettingsProjectsWithStreamingResponse:
        return SettingsProjectsWithStreamingResponse(self._resource.projects)

    @cached_property
    def models(self) -> SettingsModelsWithStreamingResponse:
        return SettingsModelsWithStreamingResponse(self._resource.models)

    @cached_property
    def limit_use(self) -> SettingsLimitUseWithStreamingResponse:
        return SettingsLimitUseWithStreamingResponse(self._resource.limit_use)

    @cached_property
    def spend_limits(self) -> SettingsSpendLimitsWithStreamingResponse:
        return SettingsSpendLimitsWithStreamingResponse(self._resource.spend_limits)

    @cached_property
    def budgets(self) -> SettingsBudgetsWithStreamingResponse:
        return SettingsBudgetsWithStreamingResponse(self._resource.budgets)

    @cached_property
    def invites(self) -> SettingsInvitesWithStreamingResponse:
        return SettingsInvitesWithStreamingResponse(self._resource.invites)

    @cached_property
    def webhook_endpoints(self) -> SettingsWebhookEndpointsWithStreamingResponse:
        return SettingsWebhookEndpointsWithStreamingResponse(self._resource.webhook_endpoints)

    @cached_property
    def providers(self) -> SettingsProvidersWithStreamingResponse:
        return SettingsProvidersWithStreamingResponse(self._resource.providers)

    @cached_property
    def routes(self) -> SettingsRoutesWithStreamingResponse:
        return SettingsRoutesWithStreamingResponse(self._resource.routes)

    @cached_property
    def products(self) -> SettingsProductsWithStreamingResponse:
        return SettingsProductsWithStreamingResponse(self._resource.products)

    @cached_property
    def price_overrides(self) -> SettingsPriceOverridesWithStreamingResponse:
        return SettingsPriceOverridesWithStreamingResponse(self._resource.price_overrides)

    @cached_property
    def aliases(self) -> SettingsAliasesWithStreamingResponse:
        return SettingsAliasesWithStreamingResponse(self._resource.aliases)

    @cached_property
    def attention(self) -> SettingsAttentionWithStreamingResponse:
        return SettingsAttentionWithStreamingResponse(self._resource.attention)


class StatusWithStreamingResponse:
    def __init__(self, resource: resources.Status) -> None:
        self._resource = resource
        self.retrieve = to_streamed_response_wrapper(resource.retrieve)


class AsyncCatalogWithStreamingResponse:
    def __init__(self, resource: resources.AsyncCatalog) -> None:
        self._resource = resource
        self.info = async_to_streamed_response_wrapper(resource.info)
        self.info_at_root = async_to_streamed_response_wrapper(resource.info_at_root)
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)


class AsyncUsageWithStreamingResponse:
    def __init__(self, resource: resources.AsyncUsage) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.summary = async_to_streamed_response_wrapper(resource.summary)
        self.first_tokens = async_to_streamed_response_wrapper(resource.first_tokens)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)


class AsyncFeedbackWithStreamingResponse:
    def __init__(self, resource: resources.AsyncFeedback) -> None:
        self._resource = resource
        self.create = async_to_streamed_response_wrapper(resource.create)


class AsyncRoutesWithStreamingResponse:
    def __init__(self, resource: resources.AsyncRoutes) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.explain = async_to_streamed_response_wrapper(resource.explain)


class AsyncSettingsProjectsApiKeysWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsProjectsApiKeys) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.list_all = async_to_streamed_response_wrapper(resource.list_all)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.rotate = async_to_streamed_response_wrapper(resource.rotate)
        self.delete = async_to_streamed_response_wrapper(resource.delete)


class AsyncSettingsProjectsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsProjects) -> None:
        self._resource = resource

    @cached_property
    def api_keys(self) -> AsyncSettingsProjectsApiKeysWithStreamingResponse:
        return AsyncSettingsProjectsApiKeysWithStreamingResponse(self._resource.api_keys)


class AsyncSettingsModelsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsModels) -> None:
        self._resource = resource
        self.access = async_to_streamed_response_wrapper(resource.access)
        self.prices = async_to_streamed_response_wrapper(resource.prices)


class AsyncSettingsLimitUseWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsLimitUse) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)


class AsyncSettingsSpendLimitsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsSpendLimits) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)


class AsyncSettingsBudgetsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsBudgets) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.delete = async_to_streamed_response_wrapper(resource.delete)


class AsyncSettingsInvitesWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsInvites) -> None:
        self._resource = resource
        self.create = async_to_streamed_response_wrapper(resource.create)


class AsyncSettingsWebhookEndpointsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsWebhookEndpoints) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.delete = async_to_streamed_response_wrapper(resource.delete)
        self.rotate_secret = async_to_streamed_response_wrapper(resource.rotate_secret)
        self.test = async_to_streamed_response_wrapper(resource.test)
        self.deliveries = async_to_streamed_response_wrapper(resource.deliveries)
        self.event_types = async_to_streamed_response_wrapper(resource.event_types)


class AsyncSettingsProvidersCredentialsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsProvidersCredentials) -> None:
        self._resource = resource
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.delete = async_to_streamed_response_wrapper(resource.delete)


class AsyncSettingsProvidersWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsProviders) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.presets = async_to_streamed_response_wrapper(resource.presets)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.test = async_to_streamed_response_wrapper(resource.test)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.delete = async_to_streamed_response_wrapper(resource.delete)

    @cached_property
    def credentials(self) -> AsyncSettingsProvidersCredentialsWithStreamingResponse:
        return AsyncSettingsProvidersCredentialsWithStreamingResponse(self._resource.credentials)


class AsyncSettingsRoutesVersionsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsRoutesVersions) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.diff = async_to_streamed_response_wrapper(resource.diff)


class AsyncSettingsRoutesWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsRoutes) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.rollback = async_to_streamed_response_wrapper(resource.rollback)
        self.delete = async_to_streamed_response_wrapper(resource.delete)
        self.validate = async_to_streamed_response_wrapper(resource.validate)
        self.explain = async_to_streamed_response_wrapper(resource.explain)
        self.replay = async_to_streamed_response_wrapper(resource.replay)

    @cached_property
    def versions(self) -> AsyncSettingsRoutesVersionsWithStreamingResponse:
        return AsyncSettingsRoutesVersionsWithStreamingResponse(self._resource.versions)


class AsyncSettingsProductsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsProducts) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.rotate = async_to_streamed_response_wrapper(resource.rotate)
        self.delete = async_to_streamed_response_wrapper(resource.delete)


class AsyncSettingsPriceOverridesWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsPriceOverrides) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.delete = async_to_streamed_response_wrapper(resource.delete)


class AsyncSettingsAliasesWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsAliases) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)
        self.create = async_to_streamed_response_wrapper(resource.create)
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.delete = async_to_streamed_response_wrapper(resource.delete)


class AsyncSettingsAttentionWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettingsAttention) -> None:
        self._resource = resource
        self.list = async_to_streamed_response_wrapper(resource.list)


class AsyncSettingsWithStreamingResponse:
    def __init__(self, resource: resources.AsyncSettings) -> None:
        self._resource = resource
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
        self.update = async_to_streamed_response_wrapper(resource.update)
        self.configuration = async_to_streamed_response_wrapper(resource.configuration)
        self.about = async_to_streamed_response_wrapper(resource.about)
        self.search = async_to_streamed_response_wrapper(resource.search)

    @cached_property
    def projects(self) -> AsyncSettingsProjectsWithStreamingResponse:
        return AsyncSettingsProjectsWithStreamingResponse(self._resource.projects)

    @cached_property
    def models(self) -> AsyncSettingsModelsWithStreamingResponse:
        return AsyncSettingsModelsWithStreamingResponse(self._resource.models)

    @cached_property
    def limit_use(self) -> AsyncSettingsLimitUseWithStreamingResponse:
        return AsyncSettingsLimitUseWithStreamingResponse(self._resource.limit_use)

    @cached_property
    def spend_limits(self) -> AsyncSettingsSpendLimitsWithStreamingResponse:
        return AsyncSettingsSpendLimitsWithStreamingResponse(self._resource.spend_limits)

    @cached_property
    def budgets(self) -> AsyncSettingsBudgetsWithStreamingResponse:
        return AsyncSettingsBudgetsWithStreamingResponse(self._resource.budgets)

    @cached_property
    def invites(self) -> AsyncSettingsInvitesWithStreamingResponse:
        return AsyncSettingsInvitesWithStreamingResponse(self._resource.invites)

    @cached_property
    def webhook_endpoints(self) -> AsyncSettingsWebhookEndpointsWithStreamingResponse:
        return AsyncSettingsWebhookEndpointsWithStreamingResponse(self._resource.webhook_endpoints)

    @cached_property
    def providers(self) -> AsyncSettingsProvidersWithStreamingResponse:
        return AsyncSettingsProvidersWithStreamingResponse(self._resource.providers)

    @cached_property
    def routes(self) -> AsyncSettingsRoutesWithStreamingResponse:
        return AsyncSettingsRoutesWithStreamingResponse(self._resource.routes)

    @cached_property
    def products(self) -> AsyncSettingsProductsWithStreamingResponse:
        return AsyncSettingsProductsWithStreamingResponse(self._resource.products)

    @cached_property
    def price_overrides(self) -> AsyncSettingsPriceOverridesWithStreamingResponse:
        return AsyncSettingsPriceOverridesWithStreamingResponse(self._resource.price_overrides)

    @cached_property
    def aliases(self) -> AsyncSettingsAliasesWithStreamingResponse:
        return AsyncSettingsAliasesWithStreamingResponse(self._resource.aliases)

    @cached_property
    def attention(self) -> AsyncSettingsAttentionWithStreamingResponse:
        return AsyncSettingsAttentionWithStreamingResponse(self._resource.attention)


class AsyncStatusWithStreamingResponse:
    def __init__(self, resource: resources.AsyncStatus) -> None:
        self._resource = resource
        self.retrieve = async_to_streamed_response_wrapper(resource.retrieve)
