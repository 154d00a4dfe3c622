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


class RateListTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""


class RateList(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    tiers: list[RateListTier]
    """Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`."""


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
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""


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
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    tiers: list[CatalogEntryPricingTier]
    """Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`."""
    services: dict[str, RateList] | None = None
    """What it costs under a tier of service, by the vendor's name for it."""
    per_call: dict[str, float] | None = None
    """US dollars for one call of a tool that the vendor runs, by its name for it: `web_search`."""
    regions: dict[str, float] | None = None
    """By how much tokens cost more, by the region in which the vendor says that it made them."""
    currency: Literal["USD"]
    source: str | None
    date: str | None
    inferred_from: str | None = None
    """The model that this is the price of, where it is another's."""
    range: CatalogEntryPricingRange | None = None
    """Of a route whose calls cost what its target costs."""


class CatalogEntry(_Answer):
    id: str
    """What to send as `model`."""
    object: Literal["model"]
    name: str
    provider: str
    """Who serves it; what the filter `provider` takes."""
    provider_label: str
    region: str | None
    """Where its provider serves, as the configuration says; of a route `null`: it may have several."""
    brand: str | None
    """Who made it."""
    origin: Literal["vendor", "smart_route", "system_route"]
    aliases: list[str]
    context_window: int | None
    max_output_tokens: int | None
    dimensions: int | None
    """Length of the vectors of an embedding model."""
    dialects: list[Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]]
    routing: CatalogEntryRouting
    capabilities: CatalogEntryCapabilities | None
    modalities: CatalogEntryModalities | None
    released_at: str | None
    inferred_from: str | None
    """The model whose facts and price these are: of this one, a dated name of it, nothing else is known."""
    listed_by: Literal["vendor"] | None
    """`vendor`: it is known from its vendor's own list alone, and neither configured nor in the catalog."""
    from_vendor: list[Literal["context_window", "max_output_tokens", "modalities", "capabilities", "pricing"]]
    """What of this is from its vendor's own list alone, by the catalog's names: neither configured nor in the catalog.
    """
    unlisted_since: str | None
    """The day since when its vendor's list, which had it, has it no more."""
    shut_down_at: str | None
    """The day on which its vendor shuts it down, or did."""
    pricing: CatalogEntryPricing
    description: str | None = None


class ModelInfoLitellmParams(_Answer):
    model: str


class ModelInfoModelInfo(_Answer):
    id: str
    db_model: Literal[False]
    key: str
    mode: Literal["chat", "embedding"]
    litellm_provider: str
    """Who serves it."""
    max_tokens: int | None
    max_input_tokens: int | None
    max_output_tokens: int | None
    input_cost_per_token: float | None
    """US dollars for one token; `null` where it is not known."""
    output_cost_per_token: float | None
    """US dollars for one token; `null` where it is not known."""
    cache_read_input_token_cost: float | None
    """US dollars for one token; `null` where it is not known."""
    cache_creation_input_token_cost: float | None
    """US dollars for one token; `null` where it is not known."""
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
    """What of this is from its vendor's own list alone, by the catalog's names: neither configured nor in the catalog.
    """


class ModelInfo(_Answer):
    """A model with the members that LiteLLM's clients read."""

    model_name: str
    """What to send as `model`."""
    litellm_params: ModelInfoLitellmParams
    model_info: ModelInfoModelInfo


class ModelInfoList(_Answer):
    data: list[ModelInfo]


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
    """The whole prompt, cached tokens too."""
    output_tokens: int
    total_tokens: int
    created_at: int
    """Unix time in seconds."""
    cost_usd: float | None
    """`null` where a token that was used has no known price."""
    requested_model: str
    """The name that the caller sent."""
    route: str | None
    """The route that chose who serves; `null` for a call that named a vendor's model."""
    provider: str | None
    """Who served it last; `null` for a call of a route, but to administrators' keys."""
    upstream_model: str | None
    """The vendor's name of the model; `null` for a call of a route, but to administrators' keys."""
    status: Literal["succeeded", "failed", "cancelled", "interrupted"]
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
    api_key_name: str | None
    """`null` where the key is kept no more."""
    attempts: int
    dropped: list[str]
    """What translation could not carry of the call and its answer: at most 4 KB of names, the longer ones cut; then, as
    the last, how many there were besides (`+59871 more`).
    """
    product: str | None
    """The operator's product that called; `null` for every other source."""
    tool: UsageRecordTool | None
    """The developer tool that called, as it names itself; `null` for every other source."""
    vendor_cost_usd: float | None = None
    """What the vendors charged, all attempts together; `cost_usd` is what the caller is charged. Shown to
    administrators' keys only.
    """
    counted_usd: float
    """What the call took of the limits of its key and product: `cost_usd`; where that is `null`, or the call was
    interrupted, what was held for it.
    """
    reported_usage: UsageRecordReportedUsage | None
    """What the provider reported, where it was more than can be and the gateway counted instead; else `null`."""


class DecisionCandidateLeftOut(_Answer):
    reason: str
    detail: str


class DecisionCandidate(_Answer):
    model: str
    provider: str
    upstream_model: str
    credential: str | None = None
    """Which of the provider's credentials: shown to administrators' keys only."""
    role: str
    expected_cost_usd: float | None
    """What the call was expected to cost there, in dollars."""
    chance: float | None
    """Of a good answer, as a smart route expects it."""
    left_out: DecisionCandidateLeftOut | None
    """Why it was not used."""


class Decision(_Answer):
    """How a route chose, as it is kept. Times are Unix milliseconds."""

    route: str
    route_version: str
    seed: float
    traits: dict[str, Any]
    """What the call was, as far as the route looked at it."""
    candidates: list[DecisionCandidate]
    order: list[int]
    """Places in `candidates`, in the order in which they were to be tried."""
    because: list[str]
    """What the order came of."""


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
    """`input`, `output`, `cache_read`, `cache_write` (or by how long it is kept: `cache_write_1h`), `reasoning`,
    `audio_input`, `audio_output`; `tool:web_search` and the like are calls of the vendor's own tools. `vendor_cost` is
    what the vendor says that it charged, where no price is known.
    """
    quantity: int
    """Tokens, or calls of a tool."""
    amount_usd: float


class UsageDetailAttemptDetail(_Answer):
    number: int
    provider: str | None
    """`null` for a call of a route, but to administrators' keys."""
    upstream_model: str | None
    """`null` for a call of a route, but to administrators' keys."""
    credential: str | None = None
    """Which of the provider's credentials: shown to administrators' keys only."""
    status: Literal["succeeded", "failed", "cancelled", "interrupted"]
    http_status: int | None
    """What the provider answered, if it got that far."""
    error: str | None
    """The kind of the error, as in docs/errors.md."""
    error_code: str | None
    """What the provider calls the error for programs, where it says so."""
    started_at_ms: int
    """Unix time in milliseconds."""
    ended_at_ms: int
    """Unix time in milliseconds."""
    possibly_billed: bool
    """It failed, and the vendor may have charged for it all the same."""
    usage_source: Literal["provider", "estimated", "none"]
    """Where the numbers come from: the provider, the gateway's own count, or nowhere."""
    upstream_request_id: str | None


class UsageDetail(_Answer):
    id: str
    """Sorts by time; the cursor for `after`."""
    object: Literal["usage_record"]
    model: str
    source: Literal["api_key", "product", "developer_tool", "console"]
    input_tokens: int
    """The whole prompt, cached tokens too."""
    output_tokens: int
    total_tokens: int
    created_at: int
    """Unix time in seconds."""
    cost_usd: float | None
    """`null` where a token that was used has no known price."""
    requested_model: str
    """The name that the caller sent."""
    route: str | None
    """The route that chose who serves; `null` for a call that named a vendor's model."""
    provider: str | None
    """Who served it last; `null` for a call of a route, but to administrators' keys."""
    upstream_model: str | None
    """The vendor's name of the model; `null` for a call of a route, but to administrators' keys."""
    status: Literal["succeeded", "failed", "cancelled", "interrupted"]
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
    api_key_name: str | None
    """`null` where the key is kept no more."""
    attempts: int
    dropped: list[str]
    """What translation could not carry of the call and its answer: at most 4 KB of names, the longer ones cut; then, as
    the last, how many there were besides (`+59871 more`).
    """
    product: str | None
    """The operator's product that called; `null` for every other source."""
    tool: UsageDetailTool | None
    """The developer tool that called, as it names itself; `null` for every other source."""
    vendor_cost_usd: float | None = None
    """What the vendors charged, all attempts together; `cost_usd` is what the caller is charged. Shown to
    administrators' keys only.
    """
    counted_usd: float
    """What the call took of the limits of its key and product: `cost_usd`; where that is `null`, or the call was
    interrupted, what was held for it.
    """
    reported_usage: UsageDetailReportedUsage | None
    """What the provider reported, where it was more than can be and the gateway counted instead; else `null`."""
    line_items: list[UsageDetailLineItem] | None
    """What `cost_usd` is the sum of; of what has a price. `null` where it would tell callers what a target costs."""
    unpriced: list[str]
    """What was used and has no price, where `cost_usd` is `null`, by the names of line items."""
    error_meaning: str | None
    """What the kind of the error means, in words."""
    service_tier: str | None
    """The tier of service that the vendor says it used."""
    region: str | None
    """Where the vendor says that it served, if that is not its ordinary place."""
    cache_writes_by_life: dict[str, int]
    """Of `cache_write_tokens`, those that are kept for another time than the vendor's ordinary one: `{"1h": 2000}`."""
    tool_calls: dict[str, int]
    """How often the vendor says that its own tools were called: `{"web_search": 2}`."""
    price_inferred_from: str | None
    """The model whose price the call was billed by, where its own is a dated name of that one."""
    attempt_details: list[UsageDetailAttemptDetail]
    """In the order in which they were made."""
    decision: Decision | None
    """How its route chose: shown to administrators' keys only. `null` for a call that named its model."""


class UsageSums(_Answer):
    calls: int
    failed_calls: int
    estimated_calls: int
    """Whose tokens the gateway counted, since the provider did not report them."""
    input_tokens: int
    """Whole prompts, cached tokens too."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of the calls whose cost is known; `null` where there are calls, and the cost of none is known."""
    calls_without_cost: int
    """Calls whose cost is not known: they are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged, likewise: shown to administrators' keys only."""
    calls_without_vendor_cost: int | None = None
    """Shown to administrators' keys only."""
    retried_calls: int
    """Calls that took more than one attempt: another target answered, or the same one again."""
    calls_under_other: int
    """Calls whose model and tool are told as `other`: beyond 500 combinations of names, those of a key's day are."""


class UsageSummaryTotals(_Answer):
    calls: int
    failed_calls: int
    estimated_calls: int
    """Whose tokens the gateway counted, since the provider did not report them."""
    input_tokens: int
    """Whole prompts, cached tokens too."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of the calls whose cost is known; `null` where there are calls, and the cost of none is known."""
    calls_without_cost: int
    """Calls whose cost is not known: they are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged, likewise: shown to administrators' keys only."""
    calls_without_vendor_cost: int | None = None
    """Shown to administrators' keys only."""
    retried_calls: int
    """Calls that took more than one attempt: another target answered, or the same one again."""
    calls_under_other: int
    """Calls whose model and tool are told as `other`: beyond 500 combinations of names, those of a key's day are."""
    previous: UsageSums
    """The same of the period before."""


class UsageSummaryDataItem(_Answer):
    api_key_id: str | None = None
    api_key_name: str | None = None
    model: str | None = None
    """Its name in the catalog; `other` for names beyond those that are told apart."""
    product: str | None = None
    tool: str | None = None
    source: str | None = None
    route: str | None = None
    """`null` for calls that named a vendor's model."""
    provider: str | None = None
    """Who served last; `null` for calls of a route, but to administrators' keys."""
    day: str | None = None
    """A UTC day, such as `2026-11-21`."""
    rest_of: int | None = None
    """Of a row of all that is beyond `top`, which has no names: of how many combinations of them."""
    calls: int
    failed_calls: int
    estimated_calls: int
    """Whose tokens the gateway counted, since the provider did not report them."""
    input_tokens: int
    """Whole prompts, cached tokens too."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of the calls whose cost is known; `null` where there are calls, and the cost of none is known."""
    calls_without_cost: int
    """Calls whose cost is not known: they are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged, likewise: shown to administrators' keys only."""
    calls_without_vendor_cost: int | None = None
    """Shown to administrators' keys only."""
    retried_calls: int
    """Calls that took more than one attempt: another target answered, or the same one again."""
    calls_under_other: int
    """Calls whose model and tool are told as `other`: beyond 500 combinations of names, those of a key's day are."""
    previous: UsageSums
    """The same of the period before."""


class UsageSummaryRest(_Answer):
    rows: int
    calls: int
    failed_calls: int
    estimated_calls: int
    """Whose tokens the gateway counted, since the provider did not report them."""
    input_tokens: int
    """Whole prompts, cached tokens too."""
    cached_tokens: int
    output_tokens: int
    total_tokens: int
    cost_usd: float | None
    """Of the calls whose cost is known; `null` where there are calls, and the cost of none is known."""
    calls_without_cost: int
    """Calls whose cost is not known: they are in no amount."""
    vendor_cost_usd: float | None = None
    """What the vendors charged, likewise: shown to administrators' keys only."""
    calls_without_vendor_cost: int | None = None
    """Shown to administrators' keys only."""
    retried_calls: int
    """Calls that took more than one attempt: another target answered, or the same one again."""
    calls_under_other: int
    """Calls whose model and tool are told as `other`: beyond 500 combinations of names, those of a key's day are."""
    previous: UsageSums
    """The same of the period before."""


class UsageSummary(_Answer):
    object: Literal["usage_summary"]
    by: list[Literal["key", "model", "product", "tool", "source", "route", "provider", "day"]]
    start_time: int
    """The first moment that is added up: the beginning of a UTC day, in Unix seconds."""
    end_time: int
    """The first moment that is not: the end of a UTC day."""
    previous_start_time: int
    """Where the period before begins; it ends where this one begins."""
    complete: bool
    """`false` while records of an earlier version are still being added up, in the background."""
    totals: UsageSummaryTotals
    data: list[UsageSummaryDataItem]
    """What comes to most first (`order_by`); by day, the last day first."""
    rest: UsageSummaryRest | None
    """All rows beyond `limit` in one; `null` where there are none."""


class FirstTokenTimesTotalsPrevious(_Answer):
    """The same of the period before."""

    streams: int
    """Streamed answers that came as far as a first token."""
    p50_ms: int | None
    """Half of them had it after so many ms, of which the two highest digits are told."""
    p95_ms: int | None
    """And 95 of 100 after so many."""


class FirstTokenTimesTotals(_Answer):
    streams: int
    """Streamed answers that came as far as a first token."""
    p50_ms: int | None
    """Half of them had it after so many ms, of which the two highest digits are told."""
    p95_ms: int | None
    """And 95 of 100 after so many."""
    previous: FirstTokenTimesTotalsPrevious
    """The same of the period before."""


class FirstTokenTimesDataItem(_Answer):
    day: str
    """A UTC day, such as `2026-11-21`."""
    streams: int
    """Streamed answers that came as far as a first token."""
    p50_ms: int | None
    """Half of them had it after so many ms, of which the two highest digits are told."""
    p95_ms: int | None
    """And 95 of 100 after so many."""


class FirstTokenTimes(_Answer):
    object: Literal["first_token_times"]
    start_time: int
    """The first moment that is counted: the beginning of a UTC day, in Unix seconds."""
    end_time: int
    """The first moment that is not: the end of a UTC day."""
    previous_start_time: int
    """Where the period before begins; it ends where this one begins."""
    totals: FirstTokenTimesTotals
    data: list[FirstTokenTimesDataItem]
    """Days that have such streams, the last first."""


class RouteDecisionOrderItem(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """Which of the provider's credentials: shown to administrators' keys only."""
    dialect: Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]
    """The format that it would be called in."""
    full_until: int | None = None
    """Unix time in seconds until which it is passed over, because as much was sent to it as may be in a minute; as the
    process that answers knows. For administrators' keys.
    """


class RouteDecisionContextWindowFallback(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """Which of the provider's credentials: shown to administrators' keys only."""
    dialect: Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]
    """The format that it would be called in."""
    full_until: int | None = None
    """Unix time in seconds until which it is passed over, because as much was sent to it as may be in a minute; as the
    process that answers knows. For administrators' keys.
    """


class RouteDecisionContentPolicyFallback(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """Which of the provider's credentials: shown to administrators' keys only."""
    dialect: Literal["openai-chat", "openai-responses", "openai-embeddings", "anthropic-messages", "gemini", "bedrock-converse"]
    """The format that it would be called in."""
    full_until: int | None = None
    """Unix time in seconds until which it is passed over, because as much was sent to it as may be in a minute; as the
    process that answers knows. For administrators' keys.
    """


class RouteDecisionCandidateLeftOut(_Answer):
    reason: Literal["unknown_model", "surface", "context_window", "max_output", "modality", "tools", "structured_output", "region", "key_models", "model_limit", "unpriced", "max_price", "weight_zero", "steering", "rule", "thread", "circuit_open", "credential_out", "attempts"]
    detail: str


class RouteDecisionCandidateHealth(_Answer):
    circuit: Literal["closed", "half_open", "open"]
    """`closed`: calls go there; `open`: none do; `half_open`: one may, to find out."""
    open_until: int | None
    """Unix time in seconds from which calls may go there again."""
    credential_out_until: int | None
    """Unix time in seconds from which calls may go there again."""
    first_token_ms: float | None
    """Of streams; `null` where none came of late."""
    whole_ms: float | None
    """Of answers that are not streamed, likewise."""
    in_flight: int


class RouteDecisionCandidate(_Answer):
    model: str
    """The route's name for it."""
    provider: str
    upstream_model: str
    credential: str | None = None
    """Which of the provider's credentials: shown to administrators' keys only."""
    role: Literal["target", "fallback", "context_fallback", "policy_fallback"]
    left_out: RouteDecisionCandidateLeftOut | None
    """Why it would not be asked."""
    expected_cost_usd: float | None
    """`null` where no price is known."""
    chance: float | None
    """Of a good answer, where the route predicts it."""
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
    """`null` where a vendor's model was named."""
    direct: bool
    """The call names a vendor's model: no route decides."""
    strategy: list[str]
    route_version: str | None
    model_version: str | None
    """Of what predicted the chances, where something did."""
    order: list[RouteDecisionOrderItem]
    """The targets that would be asked, in this order; empty where the call would be refused."""
    context_window_fallbacks: list[RouteDecisionContextWindowFallback]
    """Asked where a target says that the prompt is too long for it."""
    content_policy_fallbacks: list[RouteDecisionContentPolicyFallback]
    """Asked where a target refuses the content."""
    candidates: list[RouteDecisionCandidate]
    because: list[str]
    """What the order came of."""
    kept: bool
    """The conversation stays where its cache is warm."""
    explored: bool
    """The first was drawn, so that feedback tells of all."""
    propensity: float
    """The chance with which the first came first."""
    traits: dict[str, Any] | None
    """What the call was taken to be."""
    unpriced: list[str]
    """Targets without a price: `unpriced` of the route says whether they serve a call under a budget or spend limit."""
    refusal: RouteDecisionRefusal | None
    """The error that the call would get; `null` where it would be sent."""
    features: list[RouteDecisionFeature] | None = None
    """What of the prompt decided, by target; of routes that predict."""


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
    """The route that chose who served the call."""
    learned: bool
    """Whether a smart route will learn from it."""


class TargetStatusLastError(_Answer):
    kind: Literal["invalid_request", "invalid_json", "invalid_http", "missing_api_key", "invalid_api_key", "revoked_api_key", "disabled_api_key", "expired_api_key", "not_signed_in", "sign_in_failed", "recent_sign_in_required", "too_many_attempts", "context_length_exceeded", "model_not_allowed", "model_unpriced", "forbidden", "model_not_found", "not_found", "thread_not_found", "conflict", "method_not_allowed", "request_timeout", "body_too_large", "unsupported_media_type", "headers_too_large", "rate_limit_exceeded", "token_limit_exceeded", "token_limit_unreachable", "insufficient_quota", "client_closed_request", "internal", "storage_unavailable", "overloaded", "provider_busy", "no_target_available", "shutting_down", "upstream_rejected", "upstream_rate_limited", "upstream_unauthorized", "upstream_account_empty", "upstream_error", "upstream_unreachable", "upstream_disconnected", "upstream_invalid_answer", "upstream_timeout"]
    status: int
    message: str
    at: int
    """Unix time in seconds."""


class TargetStatus(_Answer):
    """Of several workers: the worst circuit, the sums of calls, and the longest of their times."""

    provider: str
    model: str
    """The vendor's name for it."""
    credential: str
    circuit: Literal["closed", "half_open", "open"]
    """`closed`: calls go there; `open`: none do; `half_open`: one may, to find out."""
    open_until: int | None
    """Unix time in seconds from which calls may go there again."""
    credential_out_until: int | None
    """The same for its credential, where the vendor refused that."""
    p50_ms: float | None
    """Time to the first token of the last 200 streams."""
    p95_ms: float | None
    whole_p50_ms: float | None
    """Time to the end of the last 200 answers that were not streamed."""
    whole_p95_ms: float | None
    error_rate: float | None
    """The part of `recent_calls` that failed, 0 to 1."""
    recent_calls: int
    """Calls that ended within `breaker.window`."""
    in_flight: int
    last_error: TargetStatusLastError | None


class StatusProcess(_Answer):
    version: str
    uptime_seconds: int
    open_calls: int
    workers: int
    """Processes that serve."""
    silent_workers: int
    """Those of them that did not answer in time; they are not in the sums."""


class StatusProvider(_Answer):
    provider: str
    list: Literal["key_refused", "failed", "unheard", "listed"]
    refused_credentials: builtins.list[str]
    """The names of its credentials that it refused when it was asked last."""


class StatusOutgoingRate(_Answer):
    provider: str
    credential: str | None
    """Of a rate of one key: its name."""
    model: str | None
    """Of a rate of one model: the vendor's name for it."""
    requests_per_minute: int | None
    tokens_per_minute: int | None
    passed_over: int
    """Calls for which it had no room since the processes that serve began."""
    full_at: int | None
    """When that was last."""
    full_until: int | None
    """Until when it has no room; `null`: it has room, as far as is known."""


class StatusUnpricedItem(_Answer):
    route: str
    models: list[str]
    unpriced: Literal["skip", "refuse"]
    sentence: str


class Status(_Answer):
    object: Literal["status"]
    process: StatusProcess
    providers: list[StatusProvider]
    """What each provider said when it was asked for its models last: it listed them, it refuses the key, it failed to
    say, or it was not heard yet. Those that the configuration restricts are asked about their keys alone.
    """
    outgoing_rates: list[StatusOutgoingRate]
    """What providers, their keys and their models may be sent in a minute, where that is limited."""
    unpriced: list[StatusUnpricedItem]
    """Targets of routes without a price: a call under a budget or spend limit is served by others (`skip`), or refused.
    """
    targets: list[TargetStatus]
    """Those behind a route, and those that were called."""


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
    """When it was made, in Unix seconds."""
    version: int
    """Grows with each change; see `if_version`."""


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
    """Processes that serve."""
    storage: AboutStorage


class SearchResultProject(_Answer):
    id: str
    name: str


class SearchResult(_Answer):
    object: Literal["organization.search_result"]
    type: Literal["request", "model", "route", "provider", "api_key", "admin_api_key", "user", "project", "group", "budget"]
    """`request`: a usage record."""
    id: str
    name: str
    """What it was found by, or is known by; of a request its `req_…`."""
    about: str | None
    """What tells it from others of its name: a person's address, a model's provider, a route's name, a request's model.
    """
    project: SearchResultProject | None
    """Of an API key."""


class ConfigurationSettingSetIn(_Answer):
    file: str
    line: int | None


class ConfigurationSetting(_Answer):
    object: Literal["organization.configuration_setting"]
    name: str
    """As the file calls it: `limits.max_body`."""
    value: Any
    """In the words of the file; variables stand by their names."""
    from_: Literal["file", "environment", "default"] = Field(alias="from")
    set_in: ConfigurationSettingSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    description: str


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
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""

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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """When it was last used for a call, or, to the minute, for something else; `null`: never."""
    owner: PlacedApiKeyOwner
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: PlacedApiKeyCreatedBy | None
    """Who has made it: a person, the holder of a key that is nobody's, or a command (`operator`). `null`: unknown,
    since it was made before this was kept.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more than
    they may read themselves, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product that it is of; `null` for most."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: all that its project may."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: PlacedApiKeySpendLimit | None
    """What it may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit, in its period; in its life where it has none."""
    spend_resets_at: int | None
    project: PlacedApiKeyProject


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
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""

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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """When it was last used for a call, or, to the minute, for something else; `null`: never."""
    owner: ProjectApiKeyOwner
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: ProjectApiKeyCreatedBy | None
    """Who has made it: a person, the holder of a key that is nobody's, or a command (`operator`). `null`: unknown,
    since it was made before this was kept.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more than
    they may read themselves, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product that it is of; `null` for most."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: all that its project may."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: ProjectApiKeySpendLimit | None
    """What it may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit, in its period; in its life where it has none."""
    spend_resets_at: int | None


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
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""

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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """When it was last used for a call, or, to the minute, for something else; `null`: never."""
    owner: NewProjectApiKeyOwner
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: NewProjectApiKeyCreatedBy | None
    """Who has made it: a person, the holder of a key that is nobody's, or a command (`operator`). `null`: unknown,
    since it was made before this was kept.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more than
    they may read themselves, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product that it is of; `null` for most."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: all that its project may."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: NewProjectApiKeySpendLimit | None
    """What it may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit, in its period; in its life where it has none."""
    spend_resets_at: int | None
    value: str
    """The secret, told this once."""


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
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""

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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    last_used_at: int | None
    """When it was last used for a call, or, to the minute, for something else; `null`: never."""
    owner: RotatedApiKeyOwner
    """Empty for a key that belongs to nobody in particular, such as one that the command made."""
    owner_project_access: Literal["active", "inactive"]
    """Whether its owner is in the project."""
    created_by: RotatedApiKeyCreatedBy | None
    """Who has made it: a person, the holder of a key that is nobody's, or a command (`operator`). `null`: unknown,
    since it was made before this was kept.
    """
    scopes: list[str]
    usage: Literal["organization", "project", "own"]
    """Whose usage it reads: that of the organization, of its project, or its own alone. Nobody gives a key more than
    they may read themselves, and a person's key never reads more than the person may.
    """
    status: Literal["active", "disabled", "expired"]
    product: str | None
    """The product that it is of; `null` for most."""
    version: int
    """Grows with each change; see `if_version`."""
    allowed_models: list[str] | None
    """`null`: all that its project may."""
    ip_ranges: list[str] | None
    """From where it may be used; `null`: from anywhere."""
    max_requests_per_1_minute: int | None
    """`null`: the default."""
    max_tokens_per_1_minute: int | None
    """`null`: the default."""
    spend_limit: RotatedApiKeySpendLimit | None
    """What it may spend; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against its spend limit, in its period; in its life where it has none."""
    spend_resets_at: int | None
    value: str
    """The secret, told this once."""
    earlier_secret_until: int
    """Unix time in seconds."""


class ProjectApiKeyDeleted(_Answer):
    id: str
    object: Literal["organization.project.api_key.deleted"]
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
    """Ids of the groups that they come into."""
    status: Literal["accepted", "expired", "pending"]
    """`expired` is also an invite whose sender, a person or a key, could not send it any more."""
    created_at: int
    """When it was made, in Unix seconds."""
    expires_at: int
    """Unix time in seconds."""
    accepted_at: int | None
    invite_token: str
    """What the link carries. It is shown once: whoever has it can accept the invite."""
    invite_link: str | None
    """The link; `null` where browsers cannot sign in (`server.public_url`)."""
    mail: Literal["sent", "failed", "off"]
    """Whether the link was mailed to them; `off`: there is no mail server, or no link."""


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
    """Whose calls count; several share it."""
    amount_usd: str
    """Dollars, exactly: `"12.5"`."""
    interval: Literal["life", "day", "week", "month"]
    hard: bool
    """Whether calls are refused once it is used up."""
    alerts: list[float]
    recipients: list[str]
    overrides: list[BudgetOverride]
    """More, until a time."""
    models: list[str] | None
    instead: str | None
    limit_usd: str
    """What may be spent now: the amount with its overrides."""
    spent_usd: str
    """What was spent in the present period, since the budget was made."""
    reserved_usd: str
    """What calls that are open may cost at most."""
    resets_at: int | None
    """When it begins anew; `null`: never."""
    created_at: int
    """When it was made, in Unix seconds."""
    version: int
    """Grows with each change; see `if_version`."""


class BudgetDeleted(_Answer):
    id: str
    object: Literal["organization.budget.deleted"]
    deleted: Literal[True]


class SpendLimitEnforcement(_Answer):
    status: Literal["inactive", "enforcing"]


class SpendLimit(_Answer):
    id: str
    """Of the project that may spend it, or of the organization."""
    object: Literal["organization.spend_limit", "project.spend_limit"]
    project_id: str | None
    """`null`: of the organization as a whole."""
    currency: Literal["USD"]
    interval: Literal["month"]
    """A UTC month."""
    threshold_amount: int
    """Whole cents."""
    version: int
    """Grows with each change; see `if_version`."""
    enforcement: SpendLimitEnforcement


class LimitUseProject(_Answer):
    id: str
    name: str


class LimitUse(_Answer):
    id: str
    object: Literal["organization.limit_use"]
    project: LimitUseProject | None
    """`null`: it is the organization's own limit."""
    model: str | None
    """Of a rate, by the name that calls give."""
    measure: Literal["spend_usd", "requests", "tokens"]
    """`spend_usd`: dollars in the UTC month. The others are in a minute."""
    limit: float
    used: float
    """Of a rate, in the busiest of the last 10 minutes; calls count in the minute in which they began."""
    resets_at: int | None
    """When the month ends; of a rate `null`."""


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
    """The same as long as it is the same thing that needs somebody."""
    object: Literal["organization.attention_item"]
    kind: Literal["credential_refused", "circuit", "budget", "spend_limit", "rate_limit", "outgoing_rate", "model_shutdown", "unpriced_targets", "api_key_expiry", "admin_api_key_expiry", "api_key_usage"]
    severity: Literal["critical", "warning"]
    """`critical`: calls fail, or an amount is used up. `warning`: that is near."""
    sentence: str
    """What it is, in plain words."""
    subject: AttentionItemSubject
    """What it is about."""
    project: AttentionItemProject | None
    """Of a key or a limit."""
    provider: str | None
    model: str | None
    """Of a circuit the vendor's name for it; of a rate, the name that calls give."""
    credentials: list[str]
    """The names of those that are refused, or of the circuit's."""
    routes: list[str]
    """Those that lead to a model that is shut down, or the one whose targets have no price."""
    unit: Literal["usd", "requests", "tokens"] | None
    """Of budgets and limits. `requests` and `tokens` are in a minute."""
    used: float | None
    limit: float | None
    percent: int | None
    """Whole hundredths of the limit that are used: 99 is not quite all."""
    refused_at: int | None
    """When a call was refused for a budget or spend limit last, or passed a provider over, to the minute."""
    instead: str | None
    """The model or route that serves calls for which a budget has too little left."""
    at: int | None
    """When a key ends, a model is shut down, an amount begins anew, a circuit lets a call through, or a rate has room.
    """
    last_error: AttentionItemLastError | None
    """What the vendor answered last."""
    api_keys: list[AttentionItemApiKey]
    """Of `api_key_usage`: the first 20 keys that read the usage of the whole organization since before that could be
    chosen.
    """


class ModelAccessApiKeysRefusedItem(_Answer):
    id: str
    name: str


class ModelAccessApiKeys(_Answer):
    total: int
    """Its keys that are on."""
    permitted: int
    """Those of them that may use it."""
    refused: list[ModelAccessApiKeysRefusedItem]
    """Those that may not, 20 at most. Where the project may not, none is named."""


class ModelAccess(_Answer):
    id: str
    """The project's."""
    object: Literal["organization.model_access"]
    name: str
    permitted: bool
    """By the models that the project was given; a key may still be limited to others."""
    api_keys: ModelAccessApiKeys | None
    """`null` for those who may not read keys."""


class ModelPricePricingTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""


class ModelPricePricing(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    tiers: list[ModelPricePricingTier]
    """Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`."""
    services: dict[str, RateList] | None = None
    """What it costs under a tier of service, by the vendor's name for it."""
    per_call: dict[str, float] | None = None
    """US dollars for one call of a tool that the vendor runs, by its name for it: `web_search`."""
    regions: dict[str, float] | None = None
    """By how much tokens cost more, by the region in which the vendor says that it made them."""
    currency: Literal["USD"]
    source: str | None
    date: str | None
    inferred_from: str | None = None
    """The model that this is the price of, where it is another's."""


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
    """When it begins, or began; `null` where nobody says."""
    ended_at: int | None
    """When it ended, or will; `null`: that is not known."""
    in_force: bool
    origin: Literal["settings", "file", "catalog", "billed"]
    """Who says it. `billed`: calls were billed by it before; `pricing.source` says whose it was."""
    price_override_id: str | None
    set_by: ModelPriceSetBy | None


class PriceOverridePriceTier(_Answer):
    above_prompt_tokens: int
    input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""


class PriceOverridePrice(_Answer):
    input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_read_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_write_1h_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    cache_writes_per_1m: dict[str, float] | None = None
    """What cache writes cost by how long they are kept, by the vendor's name for it (`12h`); `any`: where none of these
    names it.
    """
    reasoning_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_input_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    audio_output_per_1m: float | None
    """US dollars per million tokens; `null` where it is not known."""
    tiers: list[PriceOverridePriceTier]
    """Rates that hold in place of the others once the prompt is longer than `above_prompt_tokens`."""
    services: dict[str, RateList] | None = None
    """What it costs under a tier of service, by the vendor's name for it."""
    per_call: dict[str, float] | None = None
    """US dollars for one call of a tool that the vendor runs, by its name for it: `web_search`."""
    regions: dict[str, float] | None = None
    """By how much tokens cost more, by the region in which the vendor says that it made them."""
    currency: Literal["USD"]
    source: str | None
    date: str | None
    inferred_from: str | None = None
    """The model that this is the price of, where it is another's."""


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
    """`null` where it cannot be read any more."""
    effective_at: int | None
    """When it begins, or began; `null` where nobody says."""
    ended_at: int | None
    """When it ended, or will; `null`: that is not known."""
    state: Literal["scheduled", "in_force", "replaced", "ended", "cancelled", "hidden"]
    """`replaced`: a later one came; `cancelled`: it ended before it began; `hidden`: the file says another."""
    note: str | None
    set_by: PriceOverrideSetBy | None
    origin: Literal["file", "settings"]
    """`file`: it is changed in the configuration alone."""
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
    """The model or route that it leads to now; `null`: it leads nowhere."""
    off: str | None
    """Why it is not in force: the file has an alias or a route of its name."""
    origin: Literal["file", "settings"]
    """`file`: it is changed in the configuration alone."""
    set_in: AliasSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    created_at: int | None
    updated_at: int | None
    version: int | None


class AliasDeleted(_Answer):
    id: str
    object: Literal["organization.alias.deleted"]
    deleted: Literal[True]


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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    status: Literal["active", "disabled", "expired"]


class ProductSetIn(_Answer):
    file: str
    line: int | None


class Product(_Answer):
    id: str
    """What its keys name."""
    object: Literal["organization.product"]
    name: str
    routes: list[str]
    """What its keys may call."""
    unserved: list[str]
    """Those of `routes` that lead nowhere now."""
    spend_limit: ProductSpendLimit | None
    """What all its keys may spend together; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against that, in its period; in its life where it has none."""
    spend_resets_at: int | None
    api_keys: list[ProductApiKey]
    """Its keys, newest first, 20 at most. They are changed and revoked as those of their project, by whoever may change
    products.
    """
    origin: Literal["file", "settings"]
    """`file`: it is changed in the configuration alone."""
    set_in: ProductSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it is not in force: the file has a product of its id."""
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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    status: Literal["active", "disabled", "expired"]


class ProductWithKeySetIn(_Answer):
    file: str
    line: int | None


class ProductWithKey(_Answer):
    id: str
    """What its keys name."""
    object: Literal["organization.product"]
    name: str
    routes: list[str]
    """What its keys may call."""
    unserved: list[str]
    """Those of `routes` that lead nowhere now."""
    spend_limit: ProductWithKeySpendLimit | None
    """What all its keys may spend together; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against that, in its period; in its life where it has none."""
    spend_resets_at: int | None
    api_keys: list[ProductWithKeyApiKey]
    """Its keys, newest first, 20 at most. They are changed and revoked as those of their project, by whoever may change
    products.
    """
    origin: Literal["file", "settings"]
    """`file`: it is changed in the configuration alone."""
    set_in: ProductWithKeySetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it is not in force: the file has a product of its id."""
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
    """When it was made, in Unix seconds."""
    expires_at: int | None
    status: Literal["active", "disabled", "expired"]


class RotatedProductKeySetIn(_Answer):
    file: str
    line: int | None


class RotatedProductKey(_Answer):
    id: str
    """What its keys name."""
    object: Literal["organization.product"]
    name: str
    routes: list[str]
    """What its keys may call."""
    unserved: list[str]
    """Those of `routes` that lead nowhere now."""
    spend_limit: RotatedProductKeySpendLimit | None
    """What all its keys may spend together; `amount_decimal` is exact."""
    spent_usd: float
    """What counts against that, in its period; in its life where it has none."""
    spend_resets_at: int | None
    api_keys: list[RotatedProductKeyApiKey]
    """Its keys, newest first, 20 at most. They are changed and revoked as those of their project, by whoever may change
    products.
    """
    origin: Literal["file", "settings"]
    """`file`: it is changed in the configuration alone."""
    set_in: RotatedProductKeySetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it is not in force: the file has a product of its id."""
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


class ProviderCredential(_Answer):
    id: str | None
    """`null`: it is set in the configuration file, or the environment."""
    object: Literal["organization.provider.credential"]
    name: str
    weight: int
    hint: str
    """The last characters of the key; empty where it is short."""
    created_at: int | None
    updated_at: int | None
    state: Literal["in_use", "refused", "off"]
    """`refused`: the vendor does not take it, and calls go with others."""
    out_until: int | None
    """When it is tried again."""


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
    """What was said of it, in the words of the configuration file."""
    origin: Literal["settings", "file", "environment"]
    """Only what is of the settings is changed here."""
    set_in: ProviderSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    off: str | None
    """Why it cannot be called; `null` where it can."""
    credentials: builtins.list[ProviderCredential]
    list: Literal["key_refused", "failed", "unheard", "listed"] | None
    """What it said when it was asked for its models last."""
    models: int
    """How many models of it can be called."""
    circuit: Literal["closed", "half_open", "open"] | None
    """The worst of its models; `null` where none was called."""
    recent_calls: int
    error_rate: float | None
    last_error: ProviderLastError | None
    created_at: int | None
    updated_at: int | None
    version: int | None


class ProviderDeleted(_Answer):
    id: str
    object: Literal["organization.provider.deleted"]
    deleted: Literal[True]


class ProviderTest(_Answer):
    object: Literal["organization.provider.test"]
    ok: bool
    models: int | None
    """How many models it lists; `null` where it did not, or lists something else."""
    key: Literal["accepted", "refused", "unknown", "none"]
    """What it said of the key. `unknown`: it shows its list to everybody, or did not answer."""
    error: str | None
    """What went wrong."""
    took_ms: int


class ProviderPreset(_Answer):
    id: str
    object: Literal["organization.provider_preset"]
    label: str
    base_url: str | None
    """`null`: each customer has an own one."""
    needs_key: bool
    docs: str
    """The vendor's page on its API."""


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
    """The part of the conversations (0 to 1) that goes by this version."""


class OrganizationRoute(_Answer):
    id: str
    """The model name that callers send."""
    object: Literal["organization.route"]
    from_: Literal["file", "store"] = Field(alias="from")
    """`file`: it is changed in the configuration alone."""
    set_in: OrganizationRouteSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    hides_stored: bool
    """A stored route of this id serves nothing while the file has one."""
    name: str | None
    origin: Literal["vendor", "smart_route", "system_route"] | None
    strategy: list[str]
    targets: list[str]
    fallbacks: list[str]
    problem: str | None
    """Why it serves nothing; `null` where it serves."""
    definition_version: str | None
    version_in_force: str | None
    """The id of the version; `null` for those of the file."""
    version_before: str | None
    """What a rollback puts in force."""
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
    """The part of the conversations (0 to 1) that goes by this version."""


class OrganizationRouteWhole(_Answer):
    id: str
    """The model name that callers send."""
    object: Literal["organization.route"]
    from_: Literal["file", "store"] = Field(alias="from")
    """`file`: it is changed in the configuration alone."""
    set_in: OrganizationRouteWholeSetIn | None
    """Where the configuration file says it, so that it is changed there alone."""
    hides_stored: bool
    """A stored route of this id serves nothing while the file has one."""
    name: str | None
    origin: Literal["vendor", "smart_route", "system_route"] | None
    strategy: list[str]
    targets: list[str]
    fallbacks: list[str]
    problem: str | None
    """Why it serves nothing; `null` where it serves."""
    definition_version: str | None
    version_in_force: str | None
    """The id of the version; `null` for those of the file."""
    version_before: str | None
    """What a rollback puts in force."""
    canary: OrganizationRouteWholeCanary | None
    created_at: int | None
    updated_at: int | None
    version: int | None
    definition: dict[str, Any] | None
    """What a file would say; `null` where it cannot be read."""
    yaml: str | None
    """The same as YAML: as it was typed, where that is known."""


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
    """What the draft says, as JSON; `null` where it has a problem."""
    unserved: list[OrganizationRouteCheckUnservedItem]
    """Targets that no provider serves."""
    unasked: list[str]
    """Providers that did not say which models they have."""


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
    """`false`: further calls were left out, for their number or the time."""
    moved: int
    """Calls that would go to another target."""
    moves: list[OrganizationRouteReplayedMove]
    expected_cost: OrganizationRouteReplayedExpectedCost | None
    """Over the calls of which both are known."""
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
    """When it was made, in Unix seconds."""
    created_by: OrganizationRouteVersionCreatedBy | None
    note: str | None
    definition_version: str
    """A hash of the definition: records of calls name it as `route_version`."""


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
    """When it was made, in Unix seconds."""
    created_by: OrganizationRouteVersionWholeCreatedBy | None
    note: str | None
    definition_version: str
    """A hash of the definition: records of calls name it as `route_version`."""
    definition: dict[str, Any]
    yaml: str


class OrganizationRouteDiffChange(_Answer):
    path: str
    before: Any
    """Left out where the member is new."""
    after: Any
    """Left out where the member is gone."""


class OrganizationRouteDiff(_Answer):
    object: Literal["organization.route.diff"]
    from_: str = Field(alias="from")
    to: str
    changes: list[OrganizationRouteDiffChange]


class WebhookEndpoint(_Answer):
    id: str
    object: Literal["webhook_endpoint"]
    created_at: int
    """When it was made, in Unix seconds."""
    updated_at: int
    """Unix time in seconds."""
    name: str
    url: str
    event_types: list[str]
    signing_secret_hint: str
    version: int
    """Grows with each change; see `if_version`."""


class WebhookEndpointWithSecret(_Answer):
    id: str
    object: Literal["webhook_endpoint"]
    created_at: int
    """When it was made, in Unix seconds."""
    updated_at: int
    """Unix time in seconds."""
    name: str
    url: str
    event_types: list[str]
    signing_secret_hint: str
    version: int
    """Grows with each change; see `if_version`."""
    signing_secret: str
    """Shown this once."""


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
    """It was sent, and answered: `status_code` says how."""


class WebhookDelivery(_Answer):
    id: str
    object: Literal["webhook_endpoint.delivery"]
    created_at: int
    """When it was made, in Unix seconds."""
    event_id: str
    """`webhook-id` of every attempt."""
    event_type: str
    status: Literal["waiting", "delivered", "failed"]
    attempts: int
    next_attempt_at: int | None
    delivered_at: int | None
    status_code: int | None
    """What the last attempt was answered."""
    error: str | None
    """Why the last attempt could not be sent."""


class WebhookEventTypeList(_Answer):
    object: Literal["list"]
    data: list[str]
