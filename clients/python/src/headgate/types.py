# Written from the gateway’s /openapi.json by clients/openapi/python.ts: not to be edited.
"""What the gateway answers about itself. Members that a newer gateway adds are there, too, without a type."""

from __future__ import annotations

import builtins
from typing import Any, Literal

from openai import BaseModel
from pydantic import ConfigDict, Field

__all__ = [
    "About",
    "AboutStorage",
    "Alias",
    "AliasDeleted",
    "AliasSetIn",
    "AttentionItem",
    "AttentionItemApiKey",
    "AttentionItemLastError",
    "AttentionItemProject",
    "AttentionItemSubject",
    "Budget",
    "BudgetDeleted",
    "BudgetHolder",
    "BudgetOverride",
    "CatalogEntry",
    "CatalogEntryCapabilities",
    "CatalogEntryModalities",
    "CatalogEntryPricing",
    "CatalogEntryPricingRange",
    "CatalogEntryPricingRangeInputPer1m",
    "CatalogEntryPricingRangeOutputPer1m",
    "CatalogEntryPricingTier",
    "CatalogEntryRouting",
    "CatalogEntryRoutingFallback",
    "CatalogEntryRoutingTarget",
    "ConfigurationSetting",
    "ConfigurationSettingSetIn",
    "Decision",
    "DecisionCandidate",
    "DecisionCandidateLeftOut",
    "Feedback",
    "FirstTokenTimes",
    "FirstTokenTimesDataItem",
    "FirstTokenTimesTotals",
    "FirstTokenTimesTotalsPrevious",
    "InviteCreated",
    "InviteCreatedProject",
    "LimitUse",
    "LimitUseProject",
    "ModelAccess",
    "ModelAccessApiKeys",
    "ModelAccessApiKeysRefusedItem",
    "ModelInfo",
    "ModelInfoList",
    "ModelInfoLitellmParams",
    "ModelInfoModelInfo",
    "ModelPrice",
    "ModelPricePricing",
    "ModelPricePricingTier",
    "ModelPriceSetBy",
    "NewProjectApiKey",
    "NewProjectApiKeyCreatedBy",
    "NewProjectApiKeyOwner",
    "NewProjectApiKeyOwnerServiceAccount",
    "NewProjectApiKeyOwnerUser",
    "NewProjectApiKeySpendLimit",
    "Organization",
    "OrganizationNameSetIn",
    "OrganizationRoute",
    "OrganizationRouteCanary",
    "OrganizationRouteCheck",
    "OrganizationRouteCheckProblem",
    "OrganizationRouteCheckUnservedItem",
    "OrganizationRouteDeleted",
    "OrganizationRouteDiff",
    "OrganizationRouteDiffChange",
    "OrganizationRouteReplayed",
    "OrganizationRouteReplayedExpectedCost",
    "OrganizationRouteReplayedExpectedQuality",
    "OrganizationRouteReplayedMove",
    "OrganizationRouteReplayedMoveFrom",
    "OrganizationRouteReplayedMoveTo",
    "OrganizationRouteReplayedUnserved",
    "OrganizationRouteSetIn",
    "OrganizationRouteVersion",
    "OrganizationRouteVersionCreatedBy",
    "OrganizationRouteVersionWhole",
    "OrganizationRouteVersionWholeCreatedBy",
    "OrganizationRouteWhole",
    "OrganizationRouteWholeCanary",
    "OrganizationRouteWholeSetIn",
    "PlacedApiKey",
    "PlacedApiKeyCreatedBy",
    "PlacedApiKeyOwner",
    "PlacedApiKeyOwnerServiceAccount",
    "PlacedApiKeyOwnerUser",
    "PlacedApiKeyProject",
    "PlacedApiKeySpendLimit",
    "PriceOverride",
    "PriceOverrideDeleted",
    "PriceOverridePrice",
    "PriceOverridePriceTier",
    "PriceOverrideSetBy",
    "PriceOverrideSetIn",
    "Product",
    "ProductApiKey",
    "ProductDeleted",
    "ProductSetIn",
    "ProductSpendLimit",
    "ProductWithKey",
    "ProductWithKeyApiKey",
    "ProductWithKeySetIn",
    "ProductWithKeySpendLimit",
    "ProjectApiKey",
    "ProjectApiKeyCreatedBy",
    "ProjectApiKeyDeleted",
    "ProjectApiKeyOwner",
    "ProjectApiKeyOwnerServiceAccount",
    "ProjectApiKeyOwnerUser",
    "ProjectApiKeySpendLimit",
    "Provider",
    "ProviderCredential",
    "ProviderCredentialDeleted",
    "ProviderDeleted",
    "ProviderLastError",
    "ProviderPreset",
    "ProviderSetIn",
    "ProviderTest",
    "RateList",
    "RateListTier",
    "RotatedApiKey",
    "RotatedApiKeyCreatedBy",
    "RotatedApiKeyOwner",
    "RotatedApiKeyOwnerServiceAccount",
    "RotatedApiKeyOwnerUser",
    "RotatedApiKeySpendLimit",
    "RotatedProductKey",
    "RotatedProductKeyApiKey",
    "RotatedProductKeySetIn",
    "RotatedProductKeySpendLimit",
    "RouteDecision",
    "RouteDecisionCandidate",
    "RouteDecisionCandidateHealth",
    "RouteDecisionCandidateLeftOut",
    "RouteDecisionContentPolicyFallback",
    "RouteDecisionContextWindowFallback",
    "RouteDecisionFeature",
    "RouteDecisionFeatureFeature",
    "RouteDecisionOrderItem",
    "RouteDecisionRefusal",
    "SearchResult",
    "SearchResultProject",
    "SpendLimit",
    "SpendLimitEnforcement",
    "Status",
    "StatusOutgoingRate",
    "StatusProcess",
    "StatusProvider",
    "StatusUnpricedItem",
    "TargetStatus",
    "TargetStatusLastError",
    "UsageDetail",
    "UsageDetailAttemptDetail",
    "UsageDetailLineItem",
    "UsageDetailRefusedCaller",
    "UsageDetailReportedUsage",
    "UsageDetailTool",
    "UsageRecord",
    "UsageRecordReportedUsage",
    "UsageRecordTool",
    "UsageSummary",
    "UsageSummaryDataItem",
    "UsageSummaryRest",
    "UsageSummaryTotals",
    "UsageSums",
    "WebhookDelivery",
    "WebhookEndpoint",
    "WebhookEndpointDeleted",
    "WebhookEndpointWithSecret",
    "WebhookEventTypeList",
    "WebhookTestResult",
]


class _Answer(BaseModel):
    # Members may be called `model_…`.
    model_config = ConfigDict(protected_namespaces=())


class ModelInfoLitellmParams(_Answer):
    model: str


class ModelInfoModelInfo(_Answer):
    id: str
    db_model: Literal[False]
    key: str
    mode: Literal["chat", "embedding"]
    litellm_provider: str
    """Its provider."""
    max_tokens: int | None
    max_input_tokens: int | None
    max_output_tokens: int | None
    input_cost_per_token: float | None
    """US dollars per token; `null` if unknown."""
    output_cost_per_token: float | None
    """US dollars per token; `null` if unknown."""
    cache_read_input_token_cost: float | None
    """US dollars per token; `null` if unknown."""
    cache_creation_input_token_cost: float | None
    """US dollars per token; `null` if unknown."""
    output_vector_size: int | None
    supports_vision: bool | None
    supports_pdf_input: bool | None
    supports_audio_input: bool | None
    supports_audio_output: bool | None
    supports_function_calling: bool | None
    supports_tool_choice: bool | None
    supports_reasoning: bool | None
    supports_response_schema: bool | None
    supports_prompt_caching: bool | None
    from_vendor: list[Literal["context_window", "max_output_tokens", "modalities", "capabilities", "pricing"]]
    """The facts that are only from its vendor's list, by their names in the catalog."""


class ModelInfo(_Answer):
    """A model in the format of LiteLLM's clients."""

    model_name: str
    """The value to send as `model`."""
    litellm_params: ModelInfoLitellmParams
    model_info: ModelInfoModelInfo


class ModelInfoList(_Answer):
    data: list[ModelInfo]


class RateListTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""


class RateList(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    tiers: list[RateListTier]
    """Rates that apply instead if the prompt is longer than `above_prompt_tokens`."""


class CatalogEntryRoutingTarget(_Answer):
    provider: str | None
    model: str | None
    id: str | None = None
    weight: int | None = None


class CatalogEntryRoutingFallback(_Answer):
    provider: str | None
    model: str | None
    id: str | None = None
    weight: int | None = None


class CatalogEntryRouting(_Answer):
    strategy: str
    targets: list[CatalogEntryRoutingTarget]
    fallbacks: list[CatalogEntryRoutingFallback] | None = None


class CatalogEntryCapabilities(_Answer):
    tools: bool | None
    reasoning: bool | None
    structured_output: bool | None
    attachment: bool | None
    temperature: bool | None


class CatalogEntryModalities(_Answer):
    input: list[str]
    output: list[str]


class CatalogEntryPricingTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""


class CatalogEntryPricingRangeInputPer1m(_Answer):
    min: float
    max: float


class CatalogEntryPricingRangeOutputPer1m(_Answer):
    min: float
    max: float


class CatalogEntryPricingRange(_Answer):
    input_per_1m: CatalogEntryPricingRangeInputPer1m | None
    output_per_1m: CatalogEntryPricingRangeOutputPer1m | None


class CatalogEntryPricing(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    tiers: list[CatalogEntryPricingTier]
    """Rates that apply instead if the prompt is longer than `above_prompt_tokens`."""
    services: dict[str, RateList] | None = None
    """Price by service tier, in the vendor's words."""
    per_call: dict[str, float] | None = None
    """US dollars per call of a tool that the vendor runs, by its name: `web_search`."""
    regions: dict[str, float] | None = None
    """Price factors by the region that the vendor reports."""
    currency: Literal["USD"]
    source: str | None
    date: str | None
    inferred_from: str | None = None
    """The model whose price this is, if it is another's."""
    range: CatalogEntryPricingRange | None = None
    """Of a route that costs what its target costs."""


class CatalogEntry(_Answer):
    id: str
    """The value to send as `model`."""
    object: Literal["model"]
    name: str
    provider: str
    """Who serves it; the value for the filter `provider`."""
    provider_label: str
    region: str | None
    """Where its provider serves, as the configuration says; of a route `null`: it may have several."""
    brand: str | None
    """Its maker."""
    origin: Literal["vendor", "smart_route", "system_route"]
    aliases: list[str]
    context_window: int | None
    max_output_tokens: int | None
    dimensions: int | None
    """Dimensions of an embedding model's vectors."""
    dialects: list[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]]
    routing: CatalogEntryRouting
    capabilities: CatalogEntryCapabilities | None
    modalities: CatalogEntryModalities | None
    released_at: str | None
    inferred_from: str | None
    """The model whose facts and price these are, if this is a dated name of it."""
    listed_by: Literal["vendor"] | None
    """`vendor`: known only from its vendor's list, not from the configuration or catalog."""
    from_vendor: list[Literal["context_window", "max_output_tokens", "modalities", "capabilities", "pricing"]]
    """The facts that are only from its vendor's list, by their names in the catalog."""
    unlisted_since: str | None
    """The day on which its vendor stopped listing it."""
    shut_down_at: str | None
    """The day of its shutdown by its vendor, past or future."""
    pricing: CatalogEntryPricing
    description: str | None = None


class UsageRecordTool(_Answer):
    name: str
    version: str | None


class UsageRecordReportedUsage(_Answer):
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int


class UsageRecord(_Answer):
    id: str
    """Sorts by time; the cursor for `after`."""
    object: Literal["usage_record"]
    model: str
    source: Literal["api_key", "product", "developer_tool", "console"]
    input_tokens: int
    """All prompt tokens, including cached ones."""
    output_tokens: int
    total_tokens: int
    created_at: int
    """Unix time in seconds."""
    cost_usd: float | None
    """`null` if a used token has no known price."""
    requested_model: str
    """The name that the caller sent."""
    route: str | None
    """The route that chose the target; `null` for a call that named a vendor's model."""
    provider: str | None
    """The last provider; `null` for a call of a route, except for administrators' keys."""
    upstream_model: str | None
    """The vendor's name of the model; `null` for a call of a route, except for administrators' keys."""
    status: Literal["succeeded", "failed", "cancelled", "interrupted", "refused"]
    """`refused`: it was not sent to a vendor, and costs nothing."""
    http_status: int
    error: str | None
    """The kind of the error, as in docs/errors.md."""
    streamed: bool
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    usage_source: Literal["provider", "estimated", "none"]
    """Where the numbers come from: the provider, the gateway's own count, or nowhere."""
    latency_ms: int
    time_to_first_token_ms: int | None
    request_id: str
    client_request_id: str | None
    api_key_id: str
    """Empty for a call that was refused because its key is not valid."""
    api_key_name: str | None
    """`null` if the key was deleted."""
    attempts: int
    dropped: list[str]
    """Omissions of translation, in the call and its answer: at most 4 KB of names, longer ones cut; the last entry
    counts the others (`+59871 more`).
    """
    product: str | None
    """The operator's product; `null` for other sources."""
    tool: UsageRecordTool | None
    """The developer tool's own name; `null` for other sources."""
    vendor_cost_usd: float | None = None
    """What the vendors charged for all attempts; `cost_usd` is what the caller is charged. Shown only to
    administrators' keys.
    """
    counted_usd: float
    """What the call counts against limits of its key and product: `cost_usd`, or what was reserved for it if that is
    `null` or the call was interrupted.
    """
    error_message: str | None = None
    """The words that the caller of a refused call was told. Only of those."""
    error_param: str | None = None
    """The member at fault. Only of refused calls."""
    organization_id: str | None = None
    """Shown only to commands."""
    reported_usage: UsageRecordReportedUsage | None
    """What the provider reported, if it was not credible and the gateway counted instead; else `null`."""


class DecisionCandidateLeftOut(_Answer):
    reason: str
    detail: str


class DecisionCandidate(_Answer):
    model: str
    provider: str
    upstream_model: str
    credential: str | None = None
    """The provider's credential, shown only to administrators' keys."""
    role: str
    expected_cost_usd: float | None
    """The call's expected cost there, in dollars."""
    chance: float | None
    """Chance of a good answer, as a smart route predicts it."""
    left_out: DecisionCandidateLeftOut | None
    """Why it was not used."""


class Decision(_Answer):
    """How a route chose. Times are Unix milliseconds."""

    route: str
    route_version: str
    seed: float
    traits: dict[str, Any]
    """The call, as far as the route considered it."""
    candidates: list[DecisionCandidate]
    order: list[int]
    """Indexes in `candidates`, in the order of attempts."""
    because: list[str]
    """What determined the order."""


class UsageDetailTool(_Answer):
    name: str
    version: str | None


class UsageDetailReportedUsage(_Answer):
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int


class UsageDetailLineItem(_Answer):
    component: str
    """`input`, `output`, `cache_read`, `cache_write` (or by lifetime: `cache_write_1h`), `reasoning`, `audio_input`,
    `audio_output`; `tool:web_search` and others are calls of the vendor's own tools. `vendor_cost` is the cost that the
    vendor reported, if no price is known.
    """
    quantity: int
    """Tokens, or calls of a tool."""
    amount_usd: float


class UsageDetailAttemptDetail(_Answer):
    number: int
    provider: str | None
    """`null` for a call of a route, except for administrators' keys."""
    upstream_model: str | None
    """`null` for a call of a route, except for administrators' keys."""
    credential: str | None = None
    """The provider's credential, shown only to administrators' keys."""
    status: Literal["succeeded", "failed", "cancelled", "interrupted"]
    http_status: int | None
    """The status of the provider's answer, if there was one."""
    error: str | None
    """The kind of the error, as in docs/errors.md."""
    error_code: str | None
    """The provider's error code, if it sent one."""
    started_at_ms: int
    """Unix time in milliseconds."""
    ended_at_ms: int
    """Unix time in milliseconds."""
    possibly_billed: bool
    """It failed, but the vendor may have charged for it."""
    usage_source: Literal["provider", "estimated", "none"]
    """Where the numbers come from: the provider, the gateway's own count, or nowhere."""
    upstream_request_id: str | None


class UsageDetailRefusedCaller(_Answer):
    """Who sent a call that was refused because its key is not valid."""

    api_key: str | None
    """The first and last characters of the secret that was sent, if one was."""
    ip_address: str | None


class UsageDetail(_Answer):
    id: str
    """Sorts by time; the cursor for `after`."""
    object: Literal["usage_record"]
    model: str
    source: Literal["api_key", "product", "developer_tool", "console"]
    input_tokens: int
    """All prompt tokens, including cached ones."""
    output_tokens: int
    total_tokens: int
    created_at: int
    """Unix time in seconds."""
    cost_usd: float | None
    """`null` if a used token has no known price."""
    requested_model: str
    """The name that the caller sent."""
    route: str | None
    """The route that chose the target; `null` for a call that named a vendor's model."""
    provider: str | None
    """The last provider; `null` for a call of a route, except for administrators' keys."""
    upstream_model: str | None
    """The vendor's name of the model; `null` for a call of a route, except for administrators' keys."""
    status: Literal["succeeded", "failed", "cancelled", "interrupted", "refused"]
    """`refused`: it was not sent to a vendor, and costs nothing."""
    http_status: int
    error: str | None
    """The kind of the error, as in docs/errors.md."""
    streamed: bool
    cached_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    usage_source: Literal["provider", "estimated", "none"]
    """Where the numbers come from: the provider, the gateway's own count, or nowhere."""
    latency_ms: int
    time_to_first_token_ms: int | None
    request_id: str
    client_request_id: str | None
    api_key_id: str
    """Empty for a call that was refused because its key is not valid."""
    api_key_name: str | None
    """`null` if the key was deleted."""
    attempts: int
    dropped: list[str]
    """Omissions of translation, in the call and its answer: at most 4 KB of names, longer ones cut; the last entry
    counts the others (`+59871 more`).
    """
    product: str | None
    """The operator's product; `null` for other sources."""
    tool: UsageDetailTool | None
    """The developer tool's own name; `null` for other sources."""
    vendor_cost_usd: float | None = None
    """What the vendors charged for all attempts; `cost_usd` is what the caller is charged. Shown only to
    administrators' keys.
    """
    counted_usd: float
    """What the call counts against limits of its key and product: `cost_usd`, or what was reserved for it if that is
    `null` or the call was interrupted.
    """
    error_message: str | None = None
    """The words that the caller of a refused call was told. Only of those."""
    error_param: str | None = None
    """The member at fault. Only of refused calls."""
    organization_id: str | None = None
    """Shown only to commands."""
    reported_usage: UsageDetailReportedUsage | None
    """What the provider reported, if it was not credible and the gateway counted instead; else `null`."""
    line_items: list[UsageDetailLineItem] | None
    """The items of `cost_usd` that have a price. `null` if it would reveal what a target costs."""
    unpriced: list[str]
    """Used units without a price, if `cost_usd` is `null`, by the names of line items."""
    error_meaning: str | None
    """The meaning of the kind, in words."""
    service_tier: str | None
    """The service tier that the vendor reports."""
    region: str | None
    """Where the vendor says that it served, if that is not its ordinary place."""
    cache_writes_by_life: dict[str, int]
    """The part of `cache_write_tokens` with another lifetime than the vendor's usual one: `{"1h": 2000}`."""
    tool_calls: dict[str, int]
    """Calls of the vendor's own tools, as it reports them: `{"web_search": 2}`."""
    price_inferred_from: str | None
    """The model whose price was used, if the call's model is a dated name of it."""
    attempt_details: list[UsageDetailAttemptDetail]
    """In order of time."""
    decision: Decision | None
    """How its route chose: shown only to administrators' keys. `null` for a call that named its model."""
    refused_caller: UsageDetailRefusedCaller | None = None
    """Who sent a call that was refused because its key is not valid."""
    not_stored_before: int | None = None
    """Refused calls of the same key that were too many to be stored, since the one stored before."""


class UsageSums(_Answer):
    calls: int
    failed_calls: int
    estimated_calls: int
    """Calls whose tokens the gateway counted, because the provider did not report them."""
    input_tokens: int
    """All prompt tokens, including cached ones."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of calls with known cost; `null` if there are calls, but no cost is known."""
    calls_without_cost: int
    """Calls with unknown cost, which are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged; shown only to administrators' keys."""
    calls_without_vendor_cost: int | None = None
    """Shown only to administrators' keys."""
    retried_calls: int
    """Calls with more than one attempt, at another target or the same."""
    calls_under_other: int
    """Calls whose model and tool are shown as `other`, because a key used more than 500 combinations on one day."""


class UsageSummaryTotals(_Answer):
    calls: int
    failed_calls: int
    estimated_calls: int
    """Calls whose tokens the gateway counted, because the provider did not report them."""
    input_tokens: int
    """All prompt tokens, including cached ones."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of calls with known cost; `null` if there are calls, but no cost is known."""
    calls_without_cost: int
    """Calls with unknown cost, which are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged; shown only to administrators' keys."""
    calls_without_vendor_cost: int | None = None
    """Shown only to administrators' keys."""
    retried_calls: int
    """Calls with more than one attempt, at another target or the same."""
    calls_under_other: int
    """Calls whose model and tool are shown as `other`, because a key used more than 500 combinations on one day."""
    previous: UsageSums
    """The same for the previous period."""


class UsageSummaryDataItem(_Answer):
    api_key_id: str | None = None
    api_key_name: str | None = None
    model: str | None = None
    """Its name in the catalog; `other` for names that are not distinguished."""
    product: str | None = None
    tool: str | None = None
    source: str | None = None
    route: str | None = None
    """`null` for calls that named a vendor's model."""
    provider: str | None = None
    """The last provider; `null` for calls of a route, except for administrators' keys."""
    day: str | None = None
    """A UTC day, such as `2026-11-21`."""
    rest_of: int | None = None
    """Of the row for everything beyond `top`, which has no names: the number of combinations."""
    calls: int
    failed_calls: int
    estimated_calls: int
    """Calls whose tokens the gateway counted, because the provider did not report them."""
    input_tokens: int
    """All prompt tokens, including cached ones."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of calls with known cost; `null` if there are calls, but no cost is known."""
    calls_without_cost: int
    """Calls with unknown cost, which are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged; shown only to administrators' keys."""
    calls_without_vendor_cost: int | None = None
    """Shown only to administrators' keys."""
    retried_calls: int
    """Calls with more than one attempt, at another target or the same."""
    calls_under_other: int
    """Calls whose model and tool are shown as `other`, because a key used more than 500 combinations on one day."""
    previous: UsageSums
    """The same for the previous period."""


class UsageSummaryRest(_Answer):
    rows: int
    calls: int
    failed_calls: int
    estimated_calls: int
    """Calls whose tokens the gateway counted, because the provider did not report them."""
    input_tokens: int
    """All prompt tokens, including cached ones."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of calls with known cost; `null` if there are calls, but no cost is known."""
    calls_without_cost: int
    """Calls with unknown cost, which are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged; shown only to administrators' keys."""
    calls_without_vendor_cost: int | None = None
    """Shown only to administrators' keys."""
    retried_calls: int
    """Calls with more than one attempt, at another target or the same."""
    calls_under_other: int
    """Calls whose model and tool are shown as `other`, because a key used more than 500 combinations on one day."""
    previous: UsageSums
    """The same for the previous period."""


class UsageSummary(_Answer):
    object: Literal["usage_summary"]
    by: list[Literal["key", "model", "product", "tool", "source", "route", "provider", "day"]]
    start_time: int
    """Start of the period: the beginning of a UTC day, in Unix seconds."""
    end_time: int
    """End of the period, exclusive: the end of a UTC day."""
    previous_start_time: int
    """Where the period before begins; it ends where this one begins."""
    complete: bool
    """Always `true`: all records of the days are included."""
    totals: UsageSummaryTotals
    data: list[UsageSummaryDataItem]
    """Largest first (`order_by`); by day, the latest first."""
    rest: UsageSummaryRest | None
    """All rows beyond `limit` in one; `null` if there are none."""


class FirstTokenTimesTotalsPrevious(_Answer):
    """The same for the previous period."""

    streams: int
    """Streamed answers that reached a first token."""
    p50_ms: int | None
    """The median in ms, to two significant digits."""
    p95_ms: int | None
    """And 95 of 100 after so many."""


class FirstTokenTimesTotals(_Answer):
    streams: int
    """Streamed answers that reached a first token."""
    p50_ms: int | None
    """The median in ms, to two significant digits."""
    p95_ms: int | None
    """And 95 of 100 after so many."""
    previous: FirstTokenTimesTotalsPrevious
    """The same for the previous period."""


class FirstTokenTimesDataItem(_Answer):
    day: str
    """A UTC day, such as `2026-11-21`."""
    streams: int
    """Streamed answers that reached a first token."""
    p50_ms: int | None
    """The median in ms, to two significant digits."""
    p95_ms: int | None
    """And 95 of 100 after so many."""


class FirstTokenTimes(_Answer):
    object: Literal["first_token_times"]
    start_time: int
    """Start of the period: the beginning of a UTC day, in Unix seconds."""
    end_time: int
    """End of the period, exclusive: the end of a UTC day."""
    previous_start_time: int
    """Where the period before begins; it ends where this one begins."""
    totals: FirstTokenTimesTotals
    data: list[FirstTokenTimesDataItem]
    """Days with such streams, latest first."""


class Feedback(_Answer):
    object: Literal["feedback"]
    request_id: str
    usage_id: str
    score: float
    """From 0, of no use, to 1, as good as can be."""
    note: str | None
    created_at: int
    """Unix time in seconds."""
    route: str | None
    """The route of the call."""
    learned: bool
    """Whether a smart route will learn from it."""


class RouteDecisionOrderItem(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """The provider's credential, shown only to administrators' keys."""
    dialect: Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]
    """The format in which it would be called."""
    full_until: int | None = None
    """Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process knows. For
    administrators' keys.
    """


class RouteDecisionContextWindowFallback(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """The provider's credential, shown only to administrators' keys."""
    dialect: Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]
    """The format in which it would be called."""
    full_until: int | None = None
    """Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process knows. For
    administrators' keys.
    """


class RouteDecisionContentPolicyFallback(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """The provider's credential, shown only to administrators' keys."""
    dialect: Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]
    """The format in which it would be called."""
    full_until: int | None = None
    """Unix time in seconds until which its outgoing rate limit is reached, as far as the answering process knows. For
    administrators' keys.
    """


class RouteDecisionCandidateLeftOut(_Answer):
    reason: Literal["unknown_model", "surface", "context_window", "max_output", "modality", "tools", "structured_output", "region", "key_models", "model_limit", "unpriced", "max_price", "weight_zero", "steering", "rule", "thread", "circuit_open", "credential_out", "attempts"]
    detail: str


class RouteDecisionCandidateHealth(_Answer):
    circuit: Literal["closed", "half_open", "open"]
    """`closed`: calls go there; `open`: none do; `half_open`: one may, as a test."""
    open_until: int | None
    """Unix time in seconds from which calls may go there again."""
    credential_out_until: int | None
    """Unix time in seconds from which calls may go there again."""
    first_token_ms: float | None
    """Of streams; `null` without recent ones."""
    whole_ms: float | None
    """Of answers that are not streamed; `null` without recent ones."""
    in_flight: int


class RouteDecisionCandidate(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """The provider's credential, shown only to administrators' keys."""
    role: Literal["target", "fallback", "context_fallback", "policy_fallback"]
    left_out: RouteDecisionCandidateLeftOut | None
    """Why it would not be used."""
    expected_cost_usd: float | None
    """`null` if no price is known."""
    chance: float | None
    """Chance of a good answer, if the route predicts it."""
    health: RouteDecisionCandidateHealth


class RouteDecisionRefusal(_Answer):
    status: int
    code: str | None
    type: str
    message: str
    param: str | None
    retry_after_ms: float | None


class RouteDecisionFeatureFeature(_Answer):
    name: str
    weight: float


class RouteDecisionFeature(_Answer):
    target: str
    features: list[RouteDecisionFeatureFeature]


class RouteDecision(_Answer):
    object: Literal["route.decision"]
    route: str | None
    """`null` if a vendor's model was named."""
    direct: bool
    """The call names a vendor's model, so no route decides."""
    strategy: list[str]
    route_version: str | None
    model_version: str | None
    """The learned model that predicted the chances, if there was one."""
    order: list[RouteDecisionOrderItem]
    """The targets in the order of attempts; empty if the call would be refused."""
    context_window_fallbacks: list[RouteDecisionContextWindowFallback]
    """Used if the prompt is too long for a target."""
    content_policy_fallbacks: list[RouteDecisionContentPolicyFallback]
    """Used if a target refuses the content."""
    candidates: list[RouteDecisionCandidate]
    because: list[str]
    """What determined the order."""
    kept: bool
    """The conversation stays where its cache is warm."""
    explored: bool
    """The first was drawn at random, so that feedback covers all targets."""
    propensity: float
    """The probability with which the first was drawn."""
    traits: dict[str, Any] | None
    """How the call was classified."""
    unpriced: list[str]
    """Targets without a price: `unpriced` of the route says whether they serve calls under a budget or spend limit."""
    refusal: RouteDecisionRefusal | None
    """The error that the call would get; `null` if it would be sent."""
    features: list[RouteDecisionFeature] | None = None
    """The features of the prompt that decided, by target, if the route predicts."""


class OrganizationNameSetIn(_Answer):
    file: str
    line: int | None


class Organization(_Answer):
    id: str
    object: Literal["organization"]
    name: str
    name_set_in: OrganizationNameSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    created_at: int
    """Creation time in Unix seconds."""
    version: int
    """Grows with each change; see `if_version`."""


class ConfigurationSettingSetIn(_Answer):
    file: str
    line: int | None


class ConfigurationSetting(_Answer):
    object: Literal["organization.configuration_setting"]
    name: str
    """Its name in the file: `limits.max_body`."""
    value: Any
    """As in the file; variables are shown by name."""
    from_: Literal["file", "environment", "default"] = Field(alias="from")
    set_in: ConfigurationSettingSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    description: str


class AboutStorage(_Answer):
    kind: str
    bytes: int
    """On disk."""
    schema_version: int


class About(_Answer):
    object: Literal["organization.about"]
    version: str
    """Of Headgate."""
    node: str
    """Of Node.js."""
    uptime_seconds: int
    workers: int
    """Number of serving processes."""
    storage: AboutStorage


class SearchResultProject(_Answer):
    id: str
    name: str


class SearchResult(_Answer):
    object: Literal["organization.search_result"]
    type: Literal["request", "model", "route", "provider", "api_key", "admin_api_key", "user", "project", "group", "budget"]
    """`request`: a usage record, or a refused call."""
    id: str
    name: str
    """The matching name; for a request its `req_…`."""
    about: str | None
    """Distinguishes equal names: a person's email, a model's provider, a route's name, a request's model."""
    project: SearchResultProject | None
    """Of an API key."""


class ProjectApiKeyOwnerUser(_Answer):
    id: str
    email: str | None
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class ProjectApiKeyOwnerServiceAccount(_Answer):
    id: str
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class ProjectApiKeyOwner(_Answer):
    """Empty for a key without an owner, such as one that a command created."""

    type: Literal["user", "service_account"] | None = None
    user: ProjectApiKeyOwnerUser | None = None
    service_account: ProjectApiKeyOwnerServiceAccount | None = None


class ProjectApiKeyCreatedBy(_Answer):
    type: Literal["user", "api_key", "operator"]
    id: str | None
    name: str | None


class ProjectApiKeySpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class ProjectApiKey(_Answer):
    id: str
    object: Literal["organization.project.api_key"]
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """Last use, for a call, or to the minute for other requests; `null` for never."""
    owner: ProjectApiKeyOwner
    """Empty for a key without an owner, such as one that a command created."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: ProjectApiKeyCreatedBy | None
    """The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for older
    keys.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a wider scope than
    their own, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product it belongs to; usually `null`."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: everything its project may use."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: ProjectApiKeySpendLimit | None
    """The spend limit; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit in the period; without one, all its spending."""
    spend_resets_at: int | None


class PlacedApiKeyOwnerUser(_Answer):
    id: str
    email: str | None
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class PlacedApiKeyOwnerServiceAccount(_Answer):
    id: str
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class PlacedApiKeyOwner(_Answer):
    """Empty for a key without an owner, such as one that a command created."""

    type: Literal["user", "service_account"] | None = None
    user: PlacedApiKeyOwnerUser | None = None
    service_account: PlacedApiKeyOwnerServiceAccount | None = None


class PlacedApiKeyCreatedBy(_Answer):
    type: Literal["user", "api_key", "operator"]
    id: str | None
    name: str | None


class PlacedApiKeySpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class PlacedApiKeyProject(_Answer):
    id: str
    name: str


class PlacedApiKey(_Answer):
    id: str
    object: Literal["organization.project.api_key"]
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """Last use, for a call, or to the minute for other requests; `null` for never."""
    owner: PlacedApiKeyOwner
    """Empty for a key without an owner, such as one that a command created."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: PlacedApiKeyCreatedBy | None
    """The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for older
    keys.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a wider scope than
    their own, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product it belongs to; usually `null`."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: everything its project may use."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: PlacedApiKeySpendLimit | None
    """The spend limit; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit in the period; without one, all its spending."""
    spend_resets_at: int | None
    project: PlacedApiKeyProject


class NewProjectApiKeyOwnerUser(_Answer):
    id: str
    email: str | None
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class NewProjectApiKeyOwnerServiceAccount(_Answer):
    id: str
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class NewProjectApiKeyOwner(_Answer):
    """Empty for a key without an owner, such as one that a command created."""

    type: Literal["user", "service_account"] | None = None
    user: NewProjectApiKeyOwnerUser | None = None
    service_account: NewProjectApiKeyOwnerServiceAccount | None = None


class NewProjectApiKeyCreatedBy(_Answer):
    type: Literal["user", "api_key", "operator"]
    id: str | None
    name: str | None


class NewProjectApiKeySpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class NewProjectApiKey(_Answer):
    id: str
    object: Literal["organization.project.api_key"]
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """Last use, for a call, or to the minute for other requests; `null` for never."""
    owner: NewProjectApiKeyOwner
    """Empty for a key without an owner, such as one that a command created."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: NewProjectApiKeyCreatedBy | None
    """The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for older
    keys.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a wider scope than
    their own, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product it belongs to; usually `null`."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: everything its project may use."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: NewProjectApiKeySpendLimit | None
    """The spend limit; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit in the period; without one, all its spending."""
    spend_resets_at: int | None
    value: str
    """The secret, shown only here."""


class RotatedApiKeyOwnerUser(_Answer):
    id: str
    email: str | None
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class RotatedApiKeyOwnerServiceAccount(_Answer):
    id: str
    name: str
    role: str
    created_at: int
    """Unix time in seconds."""


class RotatedApiKeyOwner(_Answer):
    """Empty for a key without an owner, such as one that a command created."""

    type: Literal["user", "service_account"] | None = None
    user: RotatedApiKeyOwnerUser | None = None
    service_account: RotatedApiKeyOwnerServiceAccount | None = None


class RotatedApiKeyCreatedBy(_Answer):
    type: Literal["user", "api_key", "operator"]
    id: str | None
    name: str | None


class RotatedApiKeySpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class RotatedApiKey(_Answer):
    id: str
    object: Literal["organization.project.api_key"]
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """Last use, for a call, or to the minute for other requests; `null` for never."""
    owner: RotatedApiKeyOwner
    """Empty for a key without an owner, such as one that a command created."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: RotatedApiKeyCreatedBy | None
    """The creator: a person, the holder of a key without owner, or a command (`operator`). `null` if unknown, for older
    keys.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Usage it can read: its organization's, its project's, or only its own. Nobody can give a key a wider scope than
    their own, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product it belongs to; usually `null`."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: everything its project may use."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: RotatedApiKeySpendLimit | None
    """The spend limit; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit in the period; without one, all its spending."""
    spend_resets_at: int | None
    value: str
    """The secret, shown only here."""
    earlier_secret_until: int
    """Unix time in seconds."""


class ProjectApiKeyDeleted(_Answer):
    id: str
    object: Literal["organization.project.api_key.deleted"]
    deleted: Literal[True]


class ModelAccessApiKeysRefusedItem(_Answer):
    id: str
    name: str


class ModelAccessApiKeys(_Answer):
    total: int
    """Its enabled keys."""
    permitted: int
    """Those of them that may use it."""
    refused: list[ModelAccessApiKeysRefusedItem]
    """Those that may not, at most 20. Empty if the project may not."""


class ModelAccess(_Answer):
    id: str
    """The project's."""
    object: Literal["organization.model_access"]
    name: str
    permitted: bool
    """According to the project's models; a key may be limited further."""
    api_keys: ModelAccessApiKeys | None
    """`null` if the caller may not read keys."""


class ModelPricePricingTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""


class ModelPricePricing(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    tiers: list[ModelPricePricingTier]
    """Rates that apply instead if the prompt is longer than `above_prompt_tokens`."""
    services: dict[str, RateList] | None = None
    """Price by service tier, in the vendor's words."""
    per_call: dict[str, float] | None = None
    """US dollars per call of a tool that the vendor runs, by its name: `web_search`."""
    regions: dict[str, float] | None = None
    """Price factors by the region that the vendor reports."""
    currency: Literal["USD"]
    source: str | None
    date: str | None
    inferred_from: str | None = None
    """The model whose price this is, if it is another's."""


class ModelPriceSetBy(_Answer):
    type: Literal["session", "api_key", "operator"]
    id: str | None
    email: str | None


class ModelPrice(_Answer):
    id: str
    object: Literal["organization.model_price"]
    model: str
    pricing: ModelPricePricing
    effective_at: int | None
    """Start; `null` if unknown."""
    ended_at: int | None
    """End; `null` if unknown."""
    in_force: bool
    origin: Literal["settings", "file", "catalog", "billed"]
    """Its origin. `billed`: calls were billed by it before; `pricing.source` has the original one."""
    price_override_id: str | None
    set_by: ModelPriceSetBy | None


class LimitUseProject(_Answer):
    id: str
    name: str


class LimitUse(_Answer):
    id: str
    object: Literal["organization.limit_use"]
    project: LimitUseProject | None
    """`null`: the organization's own limit."""
    model: str | None
    """Of a rate limit: the name in calls."""
    measure: Literal["spend_usd", "requests", "tokens"]
    """`spend_usd`: dollars per UTC month. The others are per minute."""
    limit: float
    used: float
    """Of a rate limit, in the busiest of the last 10 minutes; calls count in the minute in which they began."""
    resets_at: int | None
    """The end of the month; `null` for a rate limit."""


class SpendLimitEnforcement(_Answer):
    status: Literal["inactive", "enforcing"]


class SpendLimit(_Answer):
    id: str
    """Id of the project, or of the organization."""
    object: Literal["organization.spend_limit", "project.spend_limit"]
    project_id: str | None
    """`null`: the organization as a whole."""
    currency: Literal["USD"]
    interval: Literal["month"]
    """A UTC month."""
    threshold_amount: int
    """Whole cents."""
    version: int
    """Grows with each change; see `if_version`."""
    enforcement: SpendLimitEnforcement


class BudgetHolder(_Answer):
    type: Literal["organization", "project", "group", "user", "api_key", "product"]
    id: str


class BudgetOverride(_Answer):
    amount_usd: str
    """Dollars, exactly: `"12.5"`."""
    ends_at: int
    """Unix time in seconds."""


class Budget(_Answer):
    id: str
    object: Literal["organization.budget"]
    name: str
    holders: list[BudgetHolder]
    """Its holders, who share it."""
    amount_usd: str
    """Dollars, exactly: `"12.5"`."""
    interval: Literal["life", "day", "week", "month"]
    hard: bool
    """Whether calls are refused once it is used up."""
    alerts: list[float]
    recipients: list[str]
    overrides: list[BudgetOverride]
    """Temporary additions."""
    models: list[str] | None
    instead: str | None
    limit_usd: str
    """The amount including current overrides."""
    spent_usd: str
    """Spent in the current period, since the budget was created."""
    reserved_usd: str
    """The most that open calls may cost."""
    resets_at: int | None
    """The next reset; `null` for none."""
    created_at: int
    """Creation time in Unix seconds."""
    version: int
    """Grows with each change; see `if_version`."""


class BudgetDeleted(_Answer):
    id: str
    object: Literal["organization.budget.deleted"]
    deleted: Literal[True]


class InviteCreatedProject(_Answer):
    id: str
    role: Literal["owner", "member"]


class InviteCreated(_Answer):
    id: str
    object: Literal["organization.invite"]
    email: str
    role: Literal["owner", "reader"]
    projects: list[InviteCreatedProject]
    groups: list[str]
    """Ids of the groups that the person joins."""
    status: Literal["accepted", "expired", "pending"]
    """An invite is also `expired` if its sender could no longer send it."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int
    """Unix time in seconds."""
    accepted_at: int | None
    invite_token: str
    """The secret of the link, shown only here. Whoever has it can accept the invite."""
    invite_link: str | None
    """The link; `null` if browsers cannot sign in (`server.public_url`)."""
    mail: Literal["sent", "failed", "off"]
    """Whether the link was mailed; `off`: there is no mail server, or no link."""


class WebhookEndpoint(_Answer):
    id: str
    object: Literal["webhook_endpoint"]
    created_at: int
    """Creation time in Unix seconds."""
    updated_at: int
    """Unix time in seconds."""
    name: str
    url: str
    """The values of its query are hidden: `***`. An update with this address keeps them."""
    event_types: list[str]
    signing_secret_hint: str
    version: int
    """Grows with each change; see `if_version`."""


class WebhookEndpointWithSecret(_Answer):
    id: str
    object: Literal["webhook_endpoint"]
    created_at: int
    """Creation time in Unix seconds."""
    updated_at: int
    """Unix time in seconds."""
    name: str
    url: str
    """The values of its query are hidden: `***`. An update with this address keeps them."""
    event_types: list[str]
    signing_secret_hint: str
    version: int
    """Grows with each change; see `if_version`."""
    signing_secret: str
    """Shown only here."""


class WebhookEndpointDeleted(_Answer):
    id: str
    object: Literal["webhook_endpoint.deleted"]
    deleted: Literal[True]


class WebhookTestResult(_Answer):
    object: Literal["webhook_endpoint.test"]
    webhook_endpoint_id: str
    event_type: str
    status_code: int
    success: Literal[True]
    """It was sent; `status_code` has the answer."""


class WebhookDelivery(_Answer):
    id: str
    object: Literal["webhook_endpoint.delivery"]
    created_at: int
    """Creation time in Unix seconds."""
    event_id: str
    """The `webhook-id` of every attempt."""
    event_type: str
    status: Literal["waiting", "delivered", "failed"]
    attempts: int
    next_attempt_at: int | None
    delivered_at: int | None
    status_code: int | None
    """The status of the last attempt."""
    error: str | None
    """Why the last attempt could not be sent."""


class WebhookEventTypeList(_Answer):
    object: Literal["list"]
    data: list[str]


class ProviderCredential(_Answer):
    id: str | None
    """`null`: it is set in the configuration file or the environment."""
    object: Literal["organization.provider.credential"]
    name: str
    weight: int
    hint: str
    """The last characters of the key; empty if it is short."""
    created_at: int | None
    updated_at: int | None
    state: Literal["in_use", "refused", "off"]
    """`refused`: the vendor refuses it, and calls use others."""
    out_until: int | None
    """The time of the next try."""


class ProviderSetIn(_Answer):
    file: str
    line: int | None


class ProviderLastError(_Answer):
    kind: str
    status: int
    message: str
    at: int
    """Unix time in seconds."""


class Provider(_Answer):
    id: str
    object: Literal["organization.provider"]
    label: str
    base_url: str
    """Where calls go; empty where that is not known."""
    definition: dict[str, Any]
    """Its definition, in the terms of the configuration file."""
    origin: Literal["settings", "file", "environment"]
    """Only providers of the settings can be changed here."""
    set_in: ProviderSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it cannot be called; `null` if it can."""
    credentials: builtins.list[ProviderCredential]
    list: Literal["key_refused", "failed", "unheard", "listed"] | None
    """Its answer to the last request for its models."""
    models: int
    """Its number of callable models."""
    circuit: Literal["closed", "half_open", "open"] | None
    """The worst status of its models; `null` if none was called."""
    recent_calls: int
    error_rate: float | None
    last_error: ProviderLastError | None
    created_at: int | None
    updated_at: int | None
    version: int | None


class ProviderPreset(_Answer):
    id: str
    object: Literal["organization.provider_preset"]
    label: str
    base_url: str | None
    """`null`: each customer has its own."""
    needs_key: bool
    docs: str
    """The vendor's documentation."""


class ProviderTest(_Answer):
    object: Literal["organization.provider.test"]
    ok: bool
    models: int | None
    """The number of models it lists; `null` if it did not list any."""
    key: Literal["accepted", "refused", "unknown", "none"]
    """Its reaction to the key. `unknown`: it lists models without a key, or did not answer."""
    error: str | None
    """What went wrong."""
    took_ms: int


class ProviderDeleted(_Answer):
    id: str
    object: Literal["organization.provider.deleted"]
    deleted: Literal[True]


class ProviderCredentialDeleted(_Answer):
    id: str
    object: Literal["organization.provider.credential.deleted"]
    deleted: Literal[True]


class OrganizationRouteSetIn(_Answer):
    file: str
    line: int | None


class OrganizationRouteCanary(_Answer):
    version_id: str
    share: float
    """The share of the conversations (0 to 1) that use this version."""


class OrganizationRoute(_Answer):
    id: str
    """The model name that callers send."""
    object: Literal["organization.route"]
    from_: Literal["file", "store"] = Field(alias="from")
    """`file`: it can be changed only in the configuration."""
    set_in: OrganizationRouteSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    hides_stored: bool
    """A stored route is not used while the file has one with the same id."""
    name: str | None
    origin: Literal["vendor", "smart_route", "system_route"] | None
    strategy: list[str]
    targets: list[str]
    fallbacks: list[str]
    problem: str | None
    """Why it is not used; `null` if it is."""
    definition_version: str | None
    version_in_force: str | None
    """The id of the version; `null` for routes of the file."""
    version_before: str | None
    """The version that a rollback restores."""
    canary: OrganizationRouteCanary | None
    created_at: int | None
    updated_at: int | None
    version: int | None


class OrganizationRouteWholeSetIn(_Answer):
    file: str
    line: int | None


class OrganizationRouteWholeCanary(_Answer):
    version_id: str
    share: float
    """The share of the conversations (0 to 1) that use this version."""


class OrganizationRouteWhole(_Answer):
    id: str
    """The model name that callers send."""
    object: Literal["organization.route"]
    from_: Literal["file", "store"] = Field(alias="from")
    """`file`: it can be changed only in the configuration."""
    set_in: OrganizationRouteWholeSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    hides_stored: bool
    """A stored route is not used while the file has one with the same id."""
    name: str | None
    origin: Literal["vendor", "smart_route", "system_route"] | None
    strategy: list[str]
    targets: list[str]
    fallbacks: list[str]
    problem: str | None
    """Why it is not used; `null` if it is."""
    definition_version: str | None
    version_in_force: str | None
    """The id of the version; `null` for routes of the file."""
    version_before: str | None
    """The version that a rollback restores."""
    canary: OrganizationRouteWholeCanary | None
    created_at: int | None
    updated_at: int | None
    version: int | None
    definition: dict[str, Any] | None
    """The definition as in a file; `null` if it cannot be read."""
    yaml: str | None
    """The same as YAML, as it was typed if known."""


class OrganizationRouteDeleted(_Answer):
    id: str
    object: Literal["organization.route.deleted"]
    deleted: Literal[True]


class OrganizationRouteCheckProblem(_Answer):
    path: str
    """The member of the definition; empty for the whole."""
    message: str
    line: int | None
    """In `yaml`, from 1."""
    column: int | None


class OrganizationRouteCheckUnservedItem(_Answer):
    model: str
    detail: str


class OrganizationRouteCheck(_Answer):
    object: Literal["organization.route.check"]
    valid: bool
    problems: list[OrganizationRouteCheckProblem]
    definition_version: str | None
    definition: dict[str, Any] | None
    """The draft as JSON; `null` if it has a problem."""
    unserved: list[OrganizationRouteCheckUnservedItem]
    """Targets that no provider serves."""
    unasked: list[str]
    """Providers that did not list their models."""


class OrganizationRouteReplayedMoveFrom(_Answer):
    provider: str
    model: str


class OrganizationRouteReplayedMoveTo(_Answer):
    provider: str
    model: str


class OrganizationRouteReplayedMove(_Answer):
    from_: OrganizationRouteReplayedMoveFrom | None = Field(alias="from")
    """`null`: nobody."""
    to: OrganizationRouteReplayedMoveTo | None
    """`null`: nobody."""
    calls: int


class OrganizationRouteReplayedExpectedCost(_Answer):
    calls: int
    before_usd: float
    after_usd: float


class OrganizationRouteReplayedExpectedQuality(_Answer):
    calls: int
    before: float
    after: float


class OrganizationRouteReplayedUnserved(_Answer):
    calls: int
    errors: dict[str, int]


class OrganizationRouteReplayed(_Answer):
    object: Literal["organization.route.replay"]
    route_id: str
    definition_version: str
    since: int
    """Unix time in seconds."""
    calls: int
    complete: bool
    """`false`: the number or time was not enough for all calls."""
    moved: int
    """Calls that would use another target."""
    moves: list[OrganizationRouteReplayedMove]
    expected_cost: OrganizationRouteReplayedExpectedCost | None
    """Over calls with both values."""
    expected_quality: OrganizationRouteReplayedExpectedQuality | None
    unserved: OrganizationRouteReplayedUnserved


class OrganizationRouteVersionCreatedBy(_Answer):
    type: Literal["session", "api_key", "operator"]
    id: str | None
    email: str | None


class OrganizationRouteVersion(_Answer):
    id: str
    object: Literal["organization.route.version"]
    route_id: str
    number: int
    """Counts from 1."""
    created_at: int
    """Creation time in Unix seconds."""
    created_by: OrganizationRouteVersionCreatedBy | None
    note: str | None
    definition_version: str
    """A hash of the definition; usage records have it as `route_version`."""


class OrganizationRouteVersionWholeCreatedBy(_Answer):
    type: Literal["session", "api_key", "operator"]
    id: str | None
    email: str | None


class OrganizationRouteVersionWhole(_Answer):
    id: str
    object: Literal["organization.route.version"]
    route_id: str
    number: int
    """Counts from 1."""
    created_at: int
    """Creation time in Unix seconds."""
    created_by: OrganizationRouteVersionWholeCreatedBy | None
    note: str | None
    definition_version: str
    """A hash of the definition; usage records have it as `route_version`."""
    definition: dict[str, Any]
    yaml: str


class OrganizationRouteDiffChange(_Answer):
    path: str
    before: Any
    """Left out if the member is new."""
    after: Any
    """Left out if the member was removed."""


class OrganizationRouteDiff(_Answer):
    object: Literal["organization.route.diff"]
    from_: str = Field(alias="from")
    to: str
    changes: list[OrganizationRouteDiffChange]


class ProductSpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class ProductApiKey(_Answer):
    id: str
    project_id: str
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    status: Literal["active", "disabled", "expired"]


class ProductSetIn(_Answer):
    file: str
    line: int | None


class Product(_Answer):
    id: str
    """The id that its keys refer to."""
    object: Literal["organization.product"]
    name: str
    routes: list[str]
    """What its keys may call."""
    unserved: list[str]
    """Those of `routes` that do not exist now."""
    spend_limit: ProductSpendLimit | None
    """Total its keys may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against that in the period; without a limit, all its spending."""
    spend_resets_at: int | None
    api_keys: list[ProductApiKey]
    """Its keys, newest first, at most 20. They are changed and revoked like other keys of their project, by people who
    may change products.
    """
    origin: Literal["file", "settings"]
    """`file`: it can be changed only in the configuration."""
    set_in: ProductSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it is not in force: the file has a product with its id."""
    created_at: int | None
    updated_at: int | None
    version: int | None


class ProductWithKeySpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class ProductWithKeyApiKey(_Answer):
    id: str
    project_id: str
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    status: Literal["active", "disabled", "expired"]


class ProductWithKeySetIn(_Answer):
    file: str
    line: int | None


class ProductWithKey(_Answer):
    id: str
    """The id that its keys refer to."""
    object: Literal["organization.product"]
    name: str
    routes: list[str]
    """What its keys may call."""
    unserved: list[str]
    """Those of `routes` that do not exist now."""
    spend_limit: ProductWithKeySpendLimit | None
    """Total its keys may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against that in the period; without a limit, all its spending."""
    spend_resets_at: int | None
    api_keys: list[ProductWithKeyApiKey]
    """Its keys, newest first, at most 20. They are changed and revoked like other keys of their project, by people who
    may change products.
    """
    origin: Literal["file", "settings"]
    """`file`: it can be changed only in the configuration."""
    set_in: ProductWithKeySetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it is not in force: the file has a product with its id."""
    created_at: int | None
    updated_at: int | None
    version: int | None
    api_key: ProductWithKeyApiKey


class RotatedProductKeySpendLimit(_Answer):
    amount_usd: float
    amount_decimal: str
    interval: Literal["life", "day", "week", "month"]


class RotatedProductKeyApiKey(_Answer):
    id: str
    project_id: str
    name: str
    redacted_value: str
    """The first and last characters of the secret."""
    created_at: int
    """Creation time in Unix seconds."""
    expires_at: int | None
    status: Literal["active", "disabled", "expired"]


class RotatedProductKeySetIn(_Answer):
    file: str
    line: int | None


class RotatedProductKey(_Answer):
    id: str
    """The id that its keys refer to."""
    object: Literal["organization.product"]
    name: str
    routes: list[str]
    """What its keys may call."""
    unserved: list[str]
    """Those of `routes` that do not exist now."""
    spend_limit: RotatedProductKeySpendLimit | None
    """Total its keys may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against that in the period; without a limit, all its spending."""
    spend_resets_at: int | None
    api_keys: list[RotatedProductKeyApiKey]
    """Its keys, newest first, at most 20. They are changed and revoked like other keys of their project, by people who
    may change products.
    """
    origin: Literal["file", "settings"]
    """`file`: it can be changed only in the configuration."""
    set_in: RotatedProductKeySetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it is not in force: the file has a product with its id."""
    created_at: int | None
    updated_at: int | None
    version: int | None
    api_key: RotatedProductKeyApiKey
    earlier_secret_until: int | None
    """`null`: it had none."""


class ProductDeleted(_Answer):
    id: str
    object: Literal["organization.product.deleted"]
    deleted: Literal[True]


class PriceOverridePriceTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""


class PriceOverridePrice(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    cache_writes_per_1m: dict[str, float] | None = None
    """Price of cache writes by lifetime, in the vendor's words (`12h`); `any` for all others."""
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` if unknown."""
    tiers: list[PriceOverridePriceTier]
    """Rates that apply instead if the prompt is longer than `above_prompt_tokens`."""
    services: dict[str, RateList] | None = None
    """Price by service tier, in the vendor's words."""
    per_call: dict[str, float] | None = None
    """US dollars per call of a tool that the vendor runs, by its name: `web_search`."""
    regions: dict[str, float] | None = None
    """Price factors by the region that the vendor reports."""
    currency: Literal["USD"]
    source: str | None
    date: str | None
    inferred_from: str | None = None
    """The model whose price this is, if it is another's."""


class PriceOverrideSetBy(_Answer):
    type: Literal["session", "api_key", "operator"]
    id: str | None
    email: str | None


class PriceOverrideSetIn(_Answer):
    file: str
    line: int | None


class PriceOverride(_Answer):
    id: str
    object: Literal["organization.price_override"]
    model: str
    """`provider/model`."""
    price: PriceOverridePrice | None
    """`null` if it can no longer be read."""
    effective_at: int | None
    """Start; `null` if unknown."""
    ended_at: int | None
    """End; `null` if unknown."""
    state: Literal["scheduled", "in_force", "replaced", "ended", "cancelled", "hidden"]
    """`replaced`: a later one followed; `cancelled`: it ended before it began; `hidden`: the file has another."""
    note: str | None
    set_by: PriceOverrideSetBy | None
    origin: Literal["file", "settings"]
    """`file`: it can be changed only in the configuration."""
    set_in: PriceOverrideSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    created_at: int | None
    updated_at: int | None
    version: int | None


class PriceOverrideDeleted(_Answer):
    id: str
    object: Literal["organization.price_override.deleted"]
    deleted: Literal[True]


class AliasSetIn(_Answer):
    file: str
    line: int | None


class Alias(_Answer):
    id: str
    """The model name that callers send."""
    object: Literal["organization.alias"]
    target: str
    """A model, a route, or another alias."""
    leads_to: str | None
    """The model or route that it leads to now; `null` if there is none."""
    off: str | None
    """Why it is not in force: the file has an alias or a route with its name."""
    origin: Literal["file", "settings"]
    """`file`: it can be changed only in the configuration."""
    set_in: AliasSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    created_at: int | None
    updated_at: int | None
    version: int | None


class AliasDeleted(_Answer):
    id: str
    object: Literal["organization.alias.deleted"]
    deleted: Literal[True]


class AttentionItemSubject(_Answer):
    """What it is about."""

    type: Literal["provider", "budget", "organization", "project", "model", "route", "api_key", "admin_api_key"]
    id: str
    name: str


class AttentionItemProject(_Answer):
    id: str
    name: str


class AttentionItemLastError(_Answer):
    message: str
    at: int
    """Unix time in seconds."""


class AttentionItemApiKey(_Answer):
    id: str
    name: str


class AttentionItem(_Answer):
    id: str
    """Stable as long as the same problem exists."""
    object: Literal["organization.attention_item"]
    kind: Literal["credential_refused", "circuit", "budget", "spend_limit", "rate_limit", "outgoing_rate", "model_shutdown", "unpriced_targets", "api_key_expiry", "admin_api_key_expiry", "api_key_usage"]
    severity: Literal["critical", "warning"]
    """`critical`: calls fail, or an amount is used up. `warning`: this is near."""
    sentence: str
    """A description in plain words."""
    subject: AttentionItemSubject
    """What it is about."""
    project: AttentionItemProject | None
    """Of a key or a limit."""
    provider: str | None
    model: str | None
    """Of a circuit the vendor's name for it; of a rate limit the name in calls."""
    credentials: list[str]
    """The refused credentials, or that of the circuit."""
    routes: list[str]
    """The routes that lead to a model with a shutdown date, or the one with targets without a price."""
    unit: Literal["usd", "requests", "tokens"] | None
    """Of budgets and limits. `requests` and `tokens` are per minute."""
    used: float | None
    limit: float | None
    percent: int | None
    """Used part of the limit in whole percent, rounded down: 99 is not quite all."""
    refused_at: int | None
    """Last refusal for a budget or spend limit, or last skip for a rate limit, to the minute."""
    instead: str | None
    """The model or route that serves calls once the budget is nearly used up."""
    at: int | None
    """When a key expires, a model is shut down, an amount resets, a circuit is tested, or a rate limit has room."""
    last_error: AttentionItemLastError | None
    """The vendor's last answer."""
    api_keys: list[AttentionItemApiKey]
    """Of `api_key_usage`: the first 20 keys that still read the usage of the whole organization, because they are older
    than usage scopes.
    """


class TargetStatusLastError(_Answer):
    kind: Literal["invalid_request", "invalid_json", "invalid_http", "missing_api_key", "invalid_api_key", "revoked_api_key", "disabled_api_key", "expired_api_key", "not_signed_in", "sign_in_failed", "recent_sign_in_required", "too_many_attempts", "context_length_exceeded", "model_not_allowed", "model_unpriced", "forbidden", "model_not_found", "not_found", "thread_not_found", "conflict", "method_not_allowed", "request_timeout", "body_too_large", "unsupported_media_type", "headers_too_large", "rate_limit_exceeded", "token_limit_exceeded", "token_limit_unreachable", "insufficient_quota", "client_closed_request", "internal", "storage_unavailable", "overloaded", "provider_busy", "no_target_available", "shutting_down", "upstream_rejected", "upstream_rate_limited", "upstream_unauthorized", "upstream_account_empty", "upstream_error", "upstream_unreachable", "upstream_disconnected", "upstream_invalid_answer", "upstream_timeout"]
    status: int
    message: str
    at: int
    """Unix time in seconds."""


class TargetStatus(_Answer):
    """With several workers: the worst circuit, the sums of calls, and the longest times."""

    provider: str
    model: str
    """The vendor's name for it."""
    credential: str
    circuit: Literal["closed", "half_open", "open"]
    """`closed`: calls go there; `open`: none do; `half_open`: one may, as a test."""
    open_until: int | None
    """Unix time in seconds from which calls may go there again."""
    credential_out_until: int | None
    """The same for its credential, if the vendor refused it."""
    p50_ms: float | None
    """Time to the first token of the last 200 streams."""
    p95_ms: float | None
    whole_p50_ms: float | None
    """Duration of the last 200 answers that were not streamed."""
    whole_p95_ms: float | None
    error_rate: float | None
    """Failed part of `recent_calls`, 0 to 1."""
    recent_calls: int
    """Calls that ended within `breaker.window`."""
    in_flight: int
    last_error: TargetStatusLastError | None


class StatusProcess(_Answer):
    version: str
    uptime_seconds: int
    open_calls: int
    workers: int
    """Number of serving processes."""
    silent_workers: int
    """Processes that did not answer in time and are not in the sums."""


class StatusProvider(_Answer):
    provider: str
    list: Literal["key_refused", "failed", "unheard", "listed"]
    refused_credentials: builtins.list[str]
    """The names of the credentials that it last refused."""


class StatusOutgoingRate(_Answer):
    provider: str
    credential: str | None
    """Of a rate limit of one key: its name."""
    model: str | None
    """Of a rate limit of one model: the vendor's name for it."""
    requests_per_minute: int | None
    tokens_per_minute: int | None
    passed_over: int
    """Calls that passed it over since the processes started."""
    full_at: int | None
    """The last time."""
    full_until: int | None
    """Until then it is full; `null`: it has room, as far as is known."""


class StatusUnpricedItem(_Answer):
    route: str
    models: list[str]
    unpriced: Literal["skip", "refuse"]
    sentence: str


class Status(_Answer):
    object: Literal["status"]
    process: StatusProcess
    providers: list[StatusProvider]
    """Each provider's answer to the last request for its models: it listed them, refused the key, or failed, or has not
    answered yet. For restricted providers only the keys are tested.
    """
    outgoing_rates: list[StatusOutgoingRate]
    """The outgoing rate limits of providers, their keys and models."""
    unpriced: list[StatusUnpricedItem]
    """Targets of routes without a price: under a budget or spend limit, others serve the call (`skip`), or it is
    refused.
    """
    targets: list[TargetStatus]
    """Models in routes, and models that were called."""
