import type { ColumnType } from 'kysely';
import type { CallStatus, Source, SpendLimit } from '../core/records.ts';
import type { UsageSource } from '../core/usage.ts';

/** Every integer is read as a BigInt, since money does not fit a double. */
type Integer = ColumnType<bigint, number | bigint, number | bigint>;
type IntegerOrNull = ColumnType<bigint | null, number | bigint | null, number | bigint | null>;

/** The tables as kysely sees them. The columns themselves are written in the migrations. */
export type Schema = {
  organizations: { id: string; name: string; created_at: Integer };
  api_keys: ApiKeysTable;
  price_versions: PriceVersionsTable;
  calls: CallsTable;
  key_spend: { key_id: string; utc_day: string; amount_nano: Integer };
  counters: { name: string; value: Integer };
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
type CallsTable = {
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
  input_tokens: Integer;
  cache_read_tokens: Integer;
  cache_write_tokens: Integer;
  cache_write_1h_tokens: Integer;
  output_tokens: Integer;
  reasoning_tokens: Integer;
  audio_input_tokens: Integer;
  audio_output_tokens: Integer;
  service_tier: string | null;
  usage_source: UsageSource;
  line_items: string;
  cost_nano: IntegerOrNull;
  settled_at: Integer;
  time_to_first_token_ms: IntegerOrNull;
  dropped: string | null;
  attempts: Integer;
};
