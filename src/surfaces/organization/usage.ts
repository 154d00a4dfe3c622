import { z } from 'zod';
import { GatewayError } from '../../core/errors.ts';
import { dollars, dollarsText } from '../../core/money.ts';
import type { Caller } from '../../core/ports.ts';
import type { BucketDimension, BucketQuery, BucketRow } from '../../core/usage-buckets.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import { type HttpApi, operation } from '../operation.ts';
import { count, decimal, flag, named, oneOf, text, unixSeconds, wholeNumber } from '../schema.ts';
import { manyOf, type SettingsParts, yesOrNo } from './shared.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long a bucket is, and how many of them a page has: as OpenAI's. */
const WIDTHS = {
  '1m': { ms: MINUTE_MS, limit: 60, max: 1440 },
  '1h': { ms: HOUR_MS, limit: 24, max: 168 },
  '1d': { ms: DAY_MS, limit: 7, max: 31 },
} as const;
const COST_DAYS = { limit: 7, max: 180 };

/** Members of results, and of `group_by`, by what they are here. */
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
/** OpenAI's, which are the same for every call here. */
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

const group = text.nullable().describe('`null` where `group_by` does not name it, or calls have none.');
const ofKey = {
  project_id: group,
  user_id: group.describe('Whose key it is: a person or a service account.'),
  api_key_id: group,
};
const ownGroups = { model: group, product: group, source: group, route: group, provider: group };

const costsResult = z.object({
  object: z.literal('organization.costs.result'),
  amount: z.object({
    value: decimal,
    currency: z.literal('usd'),
    value_decimal: text.describe('The same with every digit: exact to the nano-dollar.'),
  }),
  line_item: group.describe('A model and what of it is billed: `gpt-6-sol, input_tokens`.'),
  quantity: count.nullable(),
  quantity_unit: z.enum(['tokens', 'calls']).nullable(),
  calls_without_cost: count.describe('Calls whose cost is not known: they are in no amount.'),
  ...ofKey,
  api_source: group,
  ...ownGroups,
});

const usageGroups = { ...ofKey, ...ownGroups, service_tier: group, batch: flag.nullable(), api_source: group };

const completionsResult = z.object({
  object: z.literal('organization.usage.completions.result'),
  input_tokens: count.describe('Whole prompts, cached tokens too.'),
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

/** What a gateway does not do, by the last part of its path: there are buckets, and nothing is in them. */
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
          start_time: count.describe('Unix seconds, at a multiple of the width.'),
          end_time: count.describe('Up to it, exclusive.'),
          results: z.array(result),
        }),
      ),
      has_more: flag,
      next_page: text.nullable().describe('What `page` is to be for the buckets that follow.'),
    }),
  );
}

const times = {
  start_time: unixSeconds().describe('Unix seconds; the bucket that it lies in is whole.'),
  end_time: unixSeconds().exactOptional().describe('Up to it, exclusive; its bucket is whole. Left out, now.'),
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
  limit: wholeNumber(1, WIDTHS['1m'].max).exactOptional().describe('Buckets: at most 1440, 168 or 31 by their width.'),
  batch: yesOrNo.exactOptional().describe('There are no batches here: `true` finds nothing.'),
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
  'Days are UTC. A call is of the bucket in which it began, and is added up once it is over. What takes longer than a report ' +
  'may is refused, with what to narrow; whole days of costs are quick however many calls they have, unless by `line_item`.';
const access = { permission: 'api.usage.read' } as const;

export const LIST_COSTS = operation('listCosts', 'GET /v1/organization/costs', {
  tag: 'Usage',
  summary: 'Add up by day what the organization’s calls cost.',
  description,
  access,
  query: costsQuery,
  answer: { description: 'A page of days.', schema: pagesOf('Costs', costsResult) },
  ownTurns: true,
});

export const LIST_COMPLETIONS_USAGE = operation('listCompletionsUsage', 'GET /v1/organization/usage/completions', {
  tag: 'Usage',
  summary: 'Add up by time what calls of language models used.',
  description,
  access,
  query: groupedUsageQuery,
  answer: { description: 'A page of buckets.', schema: pagesOf('CompletionsUsage', completionsResult) },
  ownTurns: true,
});

export const LIST_EMBEDDINGS_USAGE = operation('listEmbeddingsUsage', 'GET /v1/organization/usage/embeddings', {
  tag: 'Usage',
  summary: 'Add up by time what embeddings used.',
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
    summary: `Buckets of ${words}: there are none of those here, so that all are empty.`,
    access,
    query: usageQuery,
    answer: { description: 'A page of empty buckets.', schema: emptyPages },
  });
});

export const USAGE_BUCKET_OPERATIONS = [LIST_COSTS, LIST_COMPLETIONS_USAGE, LIST_EMBEDDINGS_USAGE, ...EMPTY_USAGE];

export function serveUsageBuckets(served: HttpApi, parts: SettingsParts): void {
  const now = () => served.front.clock.now();
  const read = (caller: Caller, query: BucketQuery) =>
    parts.reports.run(caller.key.id, () => parts.usage.buckets(query));

  LIST_COSTS.serve(served, async ({ caller, query }) => {
    const span = spanOf({ ...query, widthMs: DAY_MS }, now());
    const asked = bucketQuery(caller, { of: 'all', query, span });
    const lineItems = query.line_items === undefined ? {} : { line_item: query.line_items };
    const rows = await read(caller, { ...asked, only: { ...asked.only, ...lineItems } });
    return pageJson(span, rows.sort(byCost), (row) => costsJson(row, query.group_by));
  });

  const readUsage = async (of: BucketQuery['of'], caller: Caller, query: BucketedUsageQuery) => {
    const span = spanOf(widthOf(query), now());
    const rows = query.batch === true ? [] : await read(caller, bucketQuery(caller, { of, query, span }));
    return { span, rows: rows.sort(byTokens) };
  };
  LIST_COMPLETIONS_USAGE.serve(served, async ({ caller, query }) => {
    const { span, rows } = await readUsage('completions', caller, query);
    return pageJson(span, rows, (row) => completionsJson(row, query.group_by));
  });
  LIST_EMBEDDINGS_USAGE.serve(served, async ({ caller, query }) => {
    const { span, rows } = await readUsage('embeddings', caller, query);
    return pageJson(span, rows, (row) => embeddingsJson(row, query.group_by));
  });

  for (const list of EMPTY_USAGE) {
    list.serve(served, ({ query }) => pageJson(spanOf(widthOf(query), now()), [], () => undefined as never));
  }
}

type BucketedUsageQuery = z.output<typeof groupedUsageQuery>;
type BucketSpan = Pick<BucketQuery, 'from' | 'until' | 'widthMs'> & { hasMore: boolean };

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
    const message = `\`limit\` must be at most ${max} where \`bucket_width\` is ${query.bucket_width}.`;
    throw new GatewayError('invalid_request', message, { param: 'limit' });
  }
  return { ...query, limit: query.limit ?? limit, widthMs: ms };
}

/** Which buckets this page has. Throws `invalid_request`. */
function spanOf({ start_time, end_time, page, limit, widthMs }: Times, now: number): BucketSpan {
  if (end_time !== undefined && end_time <= start_time) {
    throw new GatewayError('invalid_request', '`end_time` must be after `start_time`.', { param: 'end_time' });
  }
  const first = Math.floor((start_time * 1000) / widthMs);
  const end = Math.max(first, Math.ceil((end_time === undefined ? now + 1 : end_time * 1000) / widthMs));
  const start = page === undefined ? first : (Number(page.slice('page_'.length)) * 1000) / widthMs;
  if (!Number.isInteger(start) || start < first || start > end) {
    throw new GatewayError('invalid_request', '`page` is not of these times.', { param: 'page' });
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

/** Who serves the routes is the operator's to see. */
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

function pageJson<Json>(span: BucketSpan, rows: readonly BucketRow[], json: (row: BucketRow) => Json) {
  const { from, until, widthMs, hasMore } = span;
  const starts = Array.from({ length: (until - from) / widthMs }, (_, index) => from + index * widthMs);
  const found = Map.groupBy(rows, ({ start }) => start);
  return {
    object: 'page' as const,
    data: starts.map((start) => ({
      object: 'bucket' as const,
      start_time: start / 1000,
      end_time: (start + widthMs) / 1000,
      results: (found.get(start) ?? []).map(json),
    })),
    has_more: hasMore,
    next_page: hasMore ? `page_${until / 1000}` : null,
  };
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
