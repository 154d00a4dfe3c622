import { z } from 'zod';
import { cursorQuery, inSeconds, inSecondsOrNull, pageJson, pageOf } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, decimal, named, seconds, text, type Written } from '../../api/schema.ts';
import type { Page } from '../../core/settings.ts';
import { allBuckets } from '../../core/usage-buckets.ts';
import { invalid } from '../administration.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  CONCERN_KINDS,
  type Concern,
  KEY_ENDS_DAYS,
  MAX_ENDING_KEYS,
  MAX_OLD_USAGE_KEYS,
  MODEL_ENDS_DAYS,
  NEAR_END_PERCENT,
  percentOf,
  SEVERITIES,
  SUBJECT_TYPES,
} from './items.ts';
import { listConcerns } from './service.ts';

const attentionItem = named(
  'AttentionItem',
  z.object({
    id: text.describe('Stable as long as the same problem exists.'),
    object: z.literal('organization.attention_item'),
    kind: z.enum(CONCERN_KINDS),
    severity: z.enum(SEVERITIES).describe('`critical`: calls fail, or an amount is used up. `warning`: this is near.'),
    sentence: text.describe('A description in plain words.'),
    subject: z.object({ type: z.enum(SUBJECT_TYPES), id: text, name: text }).describe('What it is about.'),
    project: z.object({ id: text, name: text }).nullable().describe('Of a key or a limit.'),
    provider: text.nullable(),
    model: text.nullable().describe('Of a circuit the vendor’s name for it; of a rate limit the name in calls.'),
    credentials: z.array(text).describe('The refused credentials, or that of the circuit.'),
    routes: z
      .array(text)
      .describe('The routes that lead to a model with a shutdown date, or the one with targets without a price.'),
    unit: z
      .enum(['usd', 'requests', 'tokens'])
      .nullable()
      .describe('Of budgets and limits. `requests` and `tokens` are per minute.'),
    used: decimal.nullable(),
    limit: decimal.nullable(),
    percent: count.nullable().describe('Used part of the limit in whole percent, rounded down: 99 is not quite all.'),
    refused_at: seconds
      .nullable()
      .describe('Last refusal for a budget or spend limit, or last skip for a rate limit, to the minute.'),
    instead: text.nullable().describe('The model or route that serves calls once the budget is nearly used up.'),
    at: seconds
      .nullable()
      .describe(
        'When a key expires, a model is shut down, an amount resets, a circuit is tested, or a rate limit has room.',
      ),
    last_error: z.object({ message: text, at: seconds }).nullable().describe('The vendor’s last answer.'),
    api_keys: z
      .array(z.object({ id: text, name: text }))
      .describe(
        `Of \`api_key_usage\`: the first ${MAX_OLD_USAGE_KEYS.listed} keys that still read the usage of the whole organization, because they ` +
          'are older than usage scopes.',
      ),
  }),
);

export const LIST_ATTENTION = operation('listAttention', 'GET /v1/organization/attention', {
  client: 'settings.attention.list',
  tag: 'Organization',
  summary: 'List problems that need attention, worst first.',
  description:
    'Refused keys, models with an open circuit, rate limits of providers, keys and models that were ' +
    'reached in the last hour, and routes with targets that budgets ' +
    `skip for lack of a price (for readers of usage and settings); budgets and limits that are ${NEAR_END_PERCENT} % used or refused a call in the last hour; ` +
    `models with a shutdown within ${MODEL_ENDS_DAYS} days that were called in the last 30 days or are in a route; ` +
    `the first ${MAX_ENDING_KEYS} API keys that expire within ${KEY_ENDS_DAYS} days; and API keys ` +
    'older than `usage` that read the usage of the whole organization, until it is set. Each kind is shown to those ' +
    'who may read its subject; readers of keys in some projects see only these.',
  access: { permission: null },
  query: cursorQuery({ limit: 20, max: 100 }).omit({ order: true }),
  answer: { description: 'A page of the list.', schema: pageOf('AttentionList', attentionItem) },
});

export const ATTENTION_OPERATIONS = resource([
  LIST_ATTENTION.handledBy(async ({ administrator, caller, query }, parts) => {
    const { usage, reports, budgetUse, directory, providers } = parts;
    const inTurn = <Result>(work: () => Promise<Result>) => reports.run(caller.key.id, work);
    const concerns = await listConcerns(atWork(parts, administrator), {
      status: providers.status,
      organizations: parts.routing.organizations,
      budgetUse,
      directory,
      reports: {
        buckets: (asked) => inTurn(() => allBuckets(usage, asked)),
        summarize: (asked) => inTurn(() => usage.summarize(asked)),
      },
    });
    return pageJson(pageAfter(concerns, query), concernJson);
  }),
]);

/** A resolved item cannot be used as `after`, because the order of the others may have changed. */
function pageAfter(all: readonly Concern[], { limit, after }: { limit: number; after?: string }): Page<Concern> {
  const place = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && place < 0) throw invalid('after', 'is not in the list any more: start again');
  const items = all.slice(place + 1, place + 1 + limit);
  return { items, hasMore: all.length > place + 1 + limit };
}

function concernJson(concern: Concern): Written<typeof attentionItem> {
  const { id, kind, severity, sentence, subject, use, lastError } = concern;
  return {
    id,
    object: 'organization.attention_item',
    kind,
    severity,
    sentence,
    subject,
    project: concern.project ?? null,
    provider: concern.provider ?? null,
    model: concern.model ?? null,
    credentials: concern.credentials ?? [],
    routes: concern.routes ?? [],
    unit: use?.unit ?? null,
    used: use?.used ?? null,
    limit: use?.limit ?? null,
    percent: use === undefined ? null : percentOf(use),
    refused_at: inSecondsOrNull(concern.refusedAt ?? null),
    instead: concern.instead ?? null,
    at: inSecondsOrNull(concern.at ?? null),
    last_error: lastError == null ? null : { message: lastError.message, at: inSeconds(lastError.at) },
    api_keys: [...(concern.apiKeys ?? [])],
  };
}
