import type { ColumnType, Generated } from 'kysely';
import type { SignInWayName } from '../core/people.ts';
import type { CallStatus, KeyAccess, KeyMaker, KeyOwner, Source, SpendLimit, UsageScope } from '../core/records.ts';
import type { KeptRoute } from '../core/route-store.ts';
import type { SettingKind } from '../core/settings.ts';
import type { UsageSource } from '../core/usage.ts';
import type { TokenColumn } from './token-columns.ts';

/** Every integer is read as a BigInt, since money does not fit a double. */
type Integer = ColumnType<bigint, number | bigint, number | bigint>;
type IntegerOrNull = ColumnType<bigint | null, number | bigint | null, number | bigint | null>;

/** The tables as kysely sees them. The columns themselves are written in each engine's schema. */
export type Schema = {
  organizations: { id: string; name: string; created_at: Integer };
  api_keys: ApiKeysTable;
  price_versions: PriceVersionsTable;
  calls: CallsTable;
  call_groups: { number: Generated<bigint>; organization_id: string };
  usage_groups: { number: Generated<bigint>; organization_id: string };
  settled_batches: { number: Integer; organization_id: string; call_ids: string };
  earlier_secrets: { hash: Uint8Array; key_id: string; ends_at: Integer };
  key_use: { key_id: string; last_used_at: Integer };
  /** By the ids of keys and of budgets. */
  key_spend: { key_id: string; utc_day: string; amount_nano: Integer };
  worker_spend: { instance_id: string; key_id: string; utc_day: string; amount_nano: Integer };
  told_thresholds: { budget_id: string; period: string; threshold: string; told_at: Integer };
  counters: { name: string; value: Integer };
  earlier_attempts: EarlierAttemptsTable;
  decisions: DecisionsTable;
  /** `canary` is JSON. */
  routes: {
    id: string;
    definition: string;
    origin: KeptRoute['from'];
    updated_at: Integer;
    canary: string | null;
  };
  route_versions: { version: string; definition: string };
  route_models: RouteModelsTable;
  live_route_models: { route_id: string; model_id: string };
  route_rows: RouteRowsTable;
  feedback: FeedbackTable;
  settings: SettingsTable;
  audit_log: AuditLogTable;
  webhook_deliveries: WebhookDeliveriesTable;
  people: PeopleTable;
  passkeys: PasskeysTable;
  sessions: SessionsTable;
  owner_links: { hash: Uint8Array; organization_id: string; email: string | null; expires_at: Integer };
  used_challenges: { hash: Uint8Array; expires_at: Integer };
  refused_calls: RefusedCallsTable;
  known_networks: { user_id: string; network: string; seen_at: Integer };
};

/** Empty `organization_id` and `key_id`: a call without an accepted key. */
export type RefusedCallsTable = {
  id: string;
  request_id: string;
  client_request_id: string | null;
  at: Integer;
  organization_id: string;
  key_id: string;
  sent_key: string | null;
  address: string | null;
  source: Source;
  product: string | null;
  tool_name: string | null;
  tool_version: string | null;
  requested_model: string | null;
  http_status: Integer;
  error_kind: string;
  message: string;
  param: string | null;
  latency_ms: Integer;
  shed: Integer;
};

type PeopleTable = {
  id: string;
  email: string;
  name: string | null;
  created_at: Integer;
  last_signed_in_at: IntegerOrNull;
  password_hash: string | null;
};

/** `transports` is JSON. */
type PasskeysTable = {
  id: string;
  user_id: string;
  name: string;
  public_key: Uint8Array;
  counter: Integer;
  transports: string;
  created_at: Integer;
  last_used_at: IntegerOrNull;
};

type SessionsTable = {
  id: string;
  hash: Uint8Array;
  earlier_hash: Uint8Array | null;
  earlier_until: IntegerOrNull;
  user_id: string;
  organization_id: string | null;
  way: SignInWayName;
  signed_in_at: Integer;
  seen_at: Integer;
  ends_at: Integer;
  must_renew: Integer;
  address: string | null;
  user_agent: string | null;
};

type ApiKeysTable = {
  id: string;
  organization_id: string;
  name: string;
  source: Source;
  hint: string;
  hash: Uint8Array;
  created_at: Integer;
  expires_at: IntegerOrNull;
  revoked_at: IntegerOrNull;
  allowed_models: string | null;
  requests_per_minute: IntegerOrNull;
  tokens_per_minute: IntegerOrNull;
  spend_limit_nano: IntegerOrNull;
  spend_limit_per: SpendLimit['per'] | null;
  product: string | null;
  admin: Integer;
  usage_scope: UsageScope;
  usage_chosen: Integer;
  disabled_at: IntegerOrNull;
  project_id: string | null;
  owner_type: KeyOwner['type'] | null;
  owner_id: string | null;
  maker_type: KeyMaker['type'] | null;
  maker_id: string | null;
  access: KeyAccess;
  scopes: string;
  ip_ranges: string | null;
  version: Integer;
};

/** `parent_id` is empty where there is none; `value` is JSON, as `kind` says. */
type SettingsTable = {
  organization_id: string;
  kind: SettingKind;
  parent_id: string;
  id: string;
  version: Integer;
  created_at: Integer;
  value: string;
};

type AuditLogTable = {
  number: Integer;
  organization_id: string;
  id: string;
  type: string;
  at: Integer;
  actor_id: string | null;
  actor_email: string | null;
  project_id: string | null;
  resource_id: string;
  event: string;
  link: Uint8Array;
};

/** `event` is JSON; `next_at` is null once it was delivered or given up. */
type WebhookDeliveriesTable = {
  id: string;
  organization_id: string;
  endpoint_id: string;
  created_at: Integer;
  event: string;
  attempts: Integer;
  next_at: IntegerOrNull;
  delivered_at: IntegerOrNull;
  last_status: IntegerOrNull;
  last_fault: string | null;
};

type PriceVersionsTable = {
  id: string;
  provider: string;
  upstream_model: string;
  rates: string;
  tiers: string;
  source: string;
  date: string;
};

/** What a settlement fills in is null while a call is `open`, and is read of settled calls only. */
type CallsTable = Record<TokenColumn, Integer> & {
  organization_id: string;
  id: string;
  request_id: string;
  client_request_id: string | null;
  key_id: string;
  source: Source;
  dialect: string;
  model: string;
  requested_model: string;
  provider: string;
  upstream_model: string;
  streamed: Integer;
  created_at: Integer;
  estimated_input_tokens: Integer;
  price_version: string | null;
  instance_id: string;
  status: 'open' | CallStatus;
  http_status: Integer;
  error_kind: string | null;
  cache_write_1h_tokens: Integer;
  service_tier: string | null;
  usage_source: UsageSource;
  line_items: string;
  cost_nano: IntegerOrNull;
  settled_at: Integer;
  time_to_first_token_ms: IntegerOrNull;
  dropped: string | null;
  attempts: Integer;
  upstream_status: IntegerOrNull;
  upstream_request_id: string | null;
  attempted_at: IntegerOrNull;
  product: string | null;
  tool_name: string | null;
  tool_version: string | null;
  credential: string | null;
  possibly_billed: IntegerOrNull;
  charged_otherwise: IntegerOrNull;
  vendor_cost_nano: IntegerOrNull;
  held_nano: IntegerOrNull;
  counted_nano: IntegerOrNull;
  reported_usage: string | null;
  route: string | null;
  usage_group: IntegerOrNull;
  more_usage: string | null;
  budgets: string | null;
  error_code: string | null;
};

type EarlierAttemptsTable = {
  call_id: string;
  number: Integer;
  provider: string;
  upstream_model: string;
  status: CallStatus;
  http_status: IntegerOrNull;
  error_kind: string | null;
  upstream_request_id: string | null;
  started_at: Integer;
  ended_at: Integer;
  usage_source: UsageSource;
  credential: string | null;
  possibly_billed: IntegerOrNull;
  error_code: string | null;
};

type DecisionsTable = {
  number: Generated<bigint>;
  organization_id: string;
  call_id: string;
  route_id: string;
  route_version: string;
  created_at: Integer;
  json: string;
};

type RouteModelsTable = {
  number: Generated<bigint>;
  id: string;
  route_id: string;
  created_at: Integer;
  source: string;
  rows: Integer;
  evaluation: string;
  weights: Uint8Array;
};

type RouteRowsTable = {
  number: Generated<bigint>;
  route_id: string;
  id: string;
  origin: string;
  at: Integer;
  features: string;
  scores: string;
  propensity: number;
};

type FeedbackTable = {
  call_id: string;
  organization_id: string;
  key_id: string;
  score: number;
  note: string | null;
  at: Integer;
};
