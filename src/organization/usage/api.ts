import { z } from 'zod';
import { manyOf, yesOrNo } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, decimal, flag, named, oneOf, text, unixSeconds, wholeNumber } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { dollars, dollarsText } from '../../core/money.ts';
import type { Caller } from '../../core/ports.ts';
import { allBuckets, type BucketDimension, type BucketQuery, type BucketRow } from '../../core/usage-buckets.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import type { SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import { type BucketSpan, bucketPageJson } from './bucket-page.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The widths of buckets and sizes of pages, as OpenAI's. */
const WIDTHS = {
  '1m': { ms: MINUTE_MS, limit: 60, max: 1440 },
  '1h': { ms: HOUR_MS, limit: 24, max: 168 },
  '1d': { ms: DAY_MS, limit: 7, max: 31 },
} as const;
const COST_DAYS = { limit: 7, max: 180 };

/** Members of results and of `group_by`, by our names. */
const DIMENSIONS = {
  project_id: 'project',
  user_id: 'user',
  api_key_id: 'key',
  model: 'model',
  product: 'product',
  source: 'source',
  route: 'route',
  provider: 'provider',
  service_tier: 'tier',
  line_item: 'line_item',
} as const satisfies Record<string, BucketDimension>;
type Grouped = keyof typeof DIMENSIONS;
/** OpenAI's members that are constant here. */
const CONSTANT = { batch: false, api_source: 'unlabeled' } as const;

const OWN = ['product', 'source', 'route', 'provider'] as const;
const USAGE_GROUPS = [
  'project_id',
  'user_id',
  'api_key_id',
  'model',
  'service_tier',
  'batch',
  'api_source',
  ...OWN,
] as const;
const COST_GROUPS = ['project_id', 'user_id', 'api_key_id', 'line_item', 'api_source', 'model', ...OWN] as const;

const group = text.nullable().describe('`null` if `group_by` does not name it, or calls have none.');
const ofKey = {
  project_id: group,
  user_id: group.describe('The key’s owner: a person or a service account.'),
  api_key_id: group,
};
const ownGroups = { model: group, product: group, source: group, route: group, provider: group };

const costsResult = z.object({
  object: z.literal('organization.costs.result'),
  amount: z.object({
    value: decimal,
    currency: z.literal('usd'),
    value_decimal: text.describe('The same, exact to the nano-dollar.'),
  }),
  line_item: group.describe('A model and the billed unit: `gpt-6-sol, input_tokens`.'),
  quantity: count.nullable(),
  quantity_unit: z.enum(['tokens', 'calls']).nullable(),
  calls_without_cost: count.describe('Calls with unknown cost, which are in no amount.'),
  ...ofKey,
  api_source: group,
  ...ownGroups,
});

const usageGroups = { ...ofKey, ...ownGroups, service_tier: group, batch: flag.nullable(), api_source: group };

const completionsResult = z.object({
  object: z.literal('organization.usage.completions.result'),
  input_tokens: count.describe('All prompt tokens, including cached ones.'),
  output_tokens: count,
  num_model_requests: count,
  input_cached_tokens: count,
  input_cache_write_tokens: count,
  input_uncached_tokens: count.describe('Neither read from a cache nor written to one.'),
  input_audio_tokens: count,
  output_audio_tokens: count,
  output_text_tokens: count,
  ...usageGroups,
});

const embeddingsResult = z.object({
  object: z.literal('organization.usage.embeddings.result'),
  input_tokens: count,
  num_model_requests: count,
  ...usageGroups,
});

/** What a gateway does not do, by the last segment of its path: the buckets are empty. */
const NOT_DONE = [
  'audio_speeches',
  'audio_transcriptions',
  'code_interpreter_sessions',
  'decisions',
  'file_search_calls',
  'images',
  'moderations',
  'vector_stores',
  'web_search_calls',
] as const;

function pagesOf<Result extends z.ZodType>(id: string, result: Result) {
  return named(
    id,
    z.object({
      object: z.literal('page'),
      data: z.array(
        z.object({
          object: z.literal('bucket'),
          start_time: count.describe('Unix seconds, a multiple of the width.'),
          end_time: count.describe('End, exclusive.'),
          results: z.array(result),
        }),
      ),
      has_more: flag,
      next_page: text.nullable().describe('The `page` of the next buckets.'),
    }),
  );
}

const times = {
  start_time: unixSeconds().describe('Unix seconds; rounded down to a bucket.'),
  end_time: unixSeconds().exactOptional().describe('End, exclusive, rounded up to a bucket (default: now).'),
  page: z
    .string()
    .regex(/^page_\d{1,12}$/, 'is not the `next_page` of an answer')
    .exactOptional(),
  project_ids: manyOf(text).exactOptional(),
  user_ids: manyOf(text).exactOptional(),
  api_key_ids: manyOf(text).exactOptional(),
  models: manyOf(text).exactOptional(),
};

const usageQuery = z.object({
  ...times,
  bucket_width: oneOf(['1m', '1h', '1d']).default('1d'),
  limit: wholeNumber(1, WIDTHS['1m'].max)
    .exactOptional()
    .describe('Number of buckets: at most 1440, 168 or 31, depending on their width.'),
  batch: yesOrNo.exactOptional().describe('There are no batches: `true` finds nothing.'),
});

const groupedUsageQuery = usageQuery.extend({ group_by: manyOf(oneOf(USAGE_GROUPS)).exactOptional() });

const costsQuery = z.object({
  ...times,
  bucket_width: oneOf(['1d']).default('1d'),
  limit: wholeNumber(1, COST_DAYS.max).default(COST_DAYS.limit),
  line_items: manyOf(text).exactOptional(),
  group_by: manyOf(oneOf(COST_GROUPS)).exactOptional(),
});

const description =
  'Days are UTC. A call belongs to the bucket in which it began, and counts once it has ended. A report that takes too long ' +
  'is refused with advice on narrowing it; costs by whole days are fast for any number of calls, except by `line_item`.';
const access = { permission: 'api.usage.read' } as const;

export const LIST_COSTS = operation('listCosts', 'GET /v1/organization/costs', {
  tag: 'Usage',
  summary: 'Sum up the organization’s costs by day.',
  description,
  access,
  query: costsQuery,
  answer: { description: 'A page of days.', schema: pagesOf('Costs', costsResult) },
  ownTurns: true,
});

export const LIST_COMPLETIONS_USAGE = operation('listCompletionsUsage', 'GET /v1/organization/usage/completions', {
  tag: 'Usage',
  summary: 'Sum up the usage of language models over time.',
  description,
  access,
  query: groupedUsageQuery,
  answer: { description: 'A page of buckets.', schema: pagesOf('CompletionsUsage', completionsResult) },
  ownTurns: true,
});

export const LIST_EMBEDDINGS_USAGE = operation('listEmbeddingsUsage', 'GET /v1/organization/usage/embeddings', {
  tag: 'Usage',
  summary: 'Sum up the usage of embeddings over time.',
  description,
  access,
  query: groupedUsageQuery,
  answer: { description: 'A page of buckets.', schema: pagesOf('EmbeddingsUsage', embeddingsResult) },
  ownTurns: true,
});

const emptyPages = pagesOf('EmptyUsage', z.never());
const EMPTY_USAGE = NOT_DONE.map((name) => {
  const words = name.replaceAll('_', ' ');
  const id = `list${name.replaceAll(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase())}Usage`;
  return operation(id, `GET /v1/organization/usage/${name}`, {
    tag: 'Usage',
    summary: `Buckets of ${words}, which do not exist here, so all are empty.`,
    access,
    query: usageQuery,
    answer: { description: 'A page of empty buckets.', schema: emptyPages },
  });
});

export const USAGE_BUCKET_OPERATIONS = resource([
  LIST_COSTS.handledBy(async ({ caller, query }, parts) => {
    const span = spanOf({ ...query, widthMs: DAY_MS }, parts.admin.clock.now());
    const asked = bucketQuery(caller, { of: 'all', query, span });
    const lineItems = query.line_items === undefined ? {} : { line_item: query.line_items };
    const rows = await read(parts, caller, { ...asked, only: { ...asked.only, ...lineItems } });
    return bucketPageJson(span, { rows, order: byCost }, (row) => costsJson(row, query.group_by));
  }),
  LIST_COMPLETIONS_USAGE.handledBy(async ({ caller, query }, parts) => {
    const { span, rows } = await readUsage(parts, caller, { of: 'completions', query });
    return bucketPageJson(span, rows, (row) => completionsJson(row, query.group_by));
  }),
  LIST_EMBEDDINGS_USAGE.handledBy(async ({ caller, query }, parts) => {
    const { span, rows } = await readUsage(parts, caller, { of: 'embeddings', query });
    return bucketPageJson(span, rows, (row) => embeddingsJson(row, query.group_by));
  }),
  ...EMPTY_USAGE.map((list) =>
    list.handledBy(({ query }, parts: SettingsParts) =>
      bucketPageJson(
        spanOf(widthOf(query), parts.admin.clock.now()),
        { rows: [], order: byTokens },
        () => undefined as never,
      ),
    ),
  ),
]);

function read({ reports, usage }: SettingsParts, caller: Caller, query: BucketQuery) {
  return reports.run(caller.key.id, () => allBuckets(usage, query));
}

async function readUsage(
  parts: SettingsParts,
  caller: Caller,
  { of, query }: { of: BucketQuery['of']; query: BucketedUsageQuery },
) {
  const span = spanOf(widthOf(query), parts.admin.clock.now());
  const rows = query.batch === true ? [] : await read(parts, caller, bucketQuery(caller, { of, query, span }));
  return { span, rows: { rows, order: byTokens } };
}

type BucketedUsageQuery = z.output<typeof groupedUsageQuery>;

type Times = {
  start_time: number;
  end_time?: number | undefined;
  page?: string | undefined;
  limit: number;
  widthMs: number;
};

function widthOf(query: z.output<typeof usageQuery>): Times {
  const { ms, limit, max } = WIDTHS[query.bucket_width];
  if (query.limit !== undefined && query.limit > max) {
    const message = `\`limit\` must be at most ${max} if \`bucket_width\` is ${query.bucket_width}.`;
    throw new GatewayError('invalid_request', message, { param: 'limit' });
  }
  return { ...query, limit: query.limit ?? limit, widthMs: ms };
}

/** The buckets of this page. Throws `invalid_request`. */
function spanOf({ start_time, end_time, page, limit, widthMs }: Times, now: number): BucketSpan {
  if (end_time !== undefined && end_time <= start_time) {
    throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
  }
  const first = Math.floor((start_time * 1000) / widthMs);
  const end = Math.max(first, Math.ceil((end_time === undefined ? now + 1 : end_time * 1000) / widthMs));
  const start = page === undefined ? first : (Number(page.slice('page_'.length)) * 1000) / widthMs;
  if (!Number.isInteger(start) || start < first || start > end) {
    throw new GatewayError('invalid_request', '`page` does not belong to this period.', { param: 'page' });
  }
  const last = Math.min(end, start + limit);
  return { from: start * widthMs, until: last * widthMs, widthMs, hasMore: last < end };
}

type GroupBy = readonly string[] | undefined;

type AskedBuckets = {
  of: BucketQuery['of'];
  query: Pick<z.output<typeof usageQuery>, 'project_ids' | 'user_ids' | 'api_key_ids' | 'models'> & {
    group_by?: readonly string[];
  };
  span: BucketSpan;
};

/** Only operators see who serves routes. */
function bucketQuery({ key, organization }: Caller, { of, query, span }: AskedBuckets): BucketQuery {
  const { project_ids: project, user_ids: user, api_key_ids: keys, models: model } = query;
  return {
    organizationId: organization.id,
    of,
    by: Object.entries(DIMENSIONS).flatMap(([name, dimension]) => (query.group_by?.includes(name) ? [dimension] : [])),
    from: span.from,
    until: span.until,
    widthMs: span.widthMs,
    only: { ...(project && { project }), ...(user && { user }), ...(keys && { key: keys }), ...(model && { model }) },
    hidesTargets: !key.admin,
  };
}

function byCost(one: BucketRow, other: BucketRow): number {
  if (one.sums.cost !== other.sums.cost) return one.sums.cost > other.sums.cost ? -1 : 1;
  return byTokens(one, other);
}

function byTokens({ sums: one, values }: BucketRow, { sums: other, values: otherValues }: BucketRow): number {
  const difference = other.inputTokens + other.outputTokens - one.inputTokens - one.outputTokens;
  return difference !== 0 ? difference : JSON.stringify(values) < JSON.stringify(otherValues) ? -1 : 1;
}

function costsJson({ sums, values }: BucketRow, groupBy: GroupBy) {
  const item = values.line_item ?? null;
  const unit = item === null ? null : item.includes(', tool:') ? ('calls' as const) : ('tokens' as const);
  return {
    object: 'organization.costs.result' as const,
    amount: { value: dollars(sums.cost), currency: 'usd' as const, value_decimal: dollarsText(sums.cost) },
    line_item: item,
    quantity: item === null ? null : sums.quantity,
    quantity_unit: unit,
    calls_without_cost: sums.withoutCost,
    ...groupsJson(values),
    api_source: groupBy?.includes('api_source') ? CONSTANT.api_source : null,
  };
}

function completionsJson({ sums, values }: BucketRow, groupBy: GroupBy) {
  return {
    object: 'organization.usage.completions.result' as const,
    input_tokens: sums.inputTokens,
    output_tokens: sums.outputTokens,
    num_model_requests: sums.calls,
    input_cached_tokens: sums.cacheReadTokens,
    input_cache_write_tokens: sums.cacheWriteTokens,
    input_uncached_tokens: Math.max(0, sums.inputTokens - sums.cacheReadTokens - sums.cacheWriteTokens),
    input_audio_tokens: sums.audioInputTokens,
    output_audio_tokens: sums.audioOutputTokens,
    output_text_tokens: Math.max(0, sums.outputTokens - sums.audioOutputTokens),
    ...usageGroupsJson(values, groupBy),
  };
}

function embeddingsJson({ sums, values }: BucketRow, groupBy: GroupBy) {
  return {
    object: 'organization.usage.embeddings.result' as const,
    input_tokens: sums.inputTokens,
    num_model_requests: sums.calls,
    ...usageGroupsJson(values, groupBy),
  };
}

function groupsJson(values: BucketRow['values']) {
  const told = (name: Grouped) => values[DIMENSIONS[name]] ?? null;
  return {
    project_id: told('project_id'),
    user_id: told('user_id'),
    api_key_id: told('api_key_id'),
    model: told('model'),
    product: told('product'),
    source: told('source'),
    route: told('route'),
    provider: told('provider'),
  };
}

function usageGroupsJson(values: BucketRow['values'], groupBy: GroupBy) {
  return {
    ...groupsJson(values),
    service_tier: values.tier ?? null,
    batch: groupBy?.includes('batch') ? CONSTANT.batch : null,
    api_source: groupBy?.includes('api_source') ? CONSTANT.api_source : null,
  };
}
