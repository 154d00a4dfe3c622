import { z } from 'zod';
import { invalid } from '../../admin/administration.ts';
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
} from '../../admin/attention.ts';
import { listConcerns } from '../../admin/attention-list.ts';
import type { Page } from '../../core/settings.ts';
import { type HttpApi, operation } from '../operation.ts';
import { count, decimal, named, seconds, text, type Written } from '../schema.ts';
import { atWork, cursorQuery, inSeconds, inSecondsOrNull, pageJson, pageOf, type SettingsParts } from './shared.ts';

const attentionItem = named(
  'AttentionItem',
  z.object({
    id: text.describe('The same as long as it is the same thing that needs somebody.'),
    object: z.literal('organization.attention_item'),
    kind: z.enum(CONCERN_KINDS),
    severity: z.enum(SEVERITIES).describe('`critical`: calls fail, or an amount is used up. `warning`: that is near.'),
    sentence: text.describe('What it is, in plain words.'),
    subject: z.object({ type: z.enum(SUBJECT_TYPES), id: text, name: text }).describe('What it is about.'),
    project: z.object({ id: text, name: text }).nullable().describe('Of a key or a limit.'),
    provider: text.nullable(),
    model: text.nullable().describe('Of a circuit the vendor’s name for it; of a rate, the name that calls give.'),
    credentials: z.array(text).describe('The names of those that are refused, or of the circuit’s.'),
    routes: z
      .array(text)
      .describe('Those that lead to a model that is shut down, or the one whose targets have no price.'),
    unit: z
      .enum(['usd', 'requests', 'tokens'])
      .nullable()
      .describe('Of budgets and limits. `requests` and `tokens` are in a minute.'),
    used: decimal.nullable(),
    limit: decimal.nullable(),
    percent: count.nullable().describe('Whole hundredths of the limit that are used: 99 is not quite all.'),
    refused_at: seconds
      .nullable()
      .describe('When a call was refused for a budget or spend limit last, or passed a provider over, to the minute.'),
    instead: text.nullable().describe('The model or route that serves calls for which a budget has too little left.'),
    at: seconds
      .nullable()
      .describe(
        'When a key ends, a model is shut down, an amount begins anew, a circuit lets a call through, or a rate has room.',
      ),
    last_error: z.object({ message: text, at: seconds }).nullable().describe('What the vendor answered last.'),
    api_keys: z
      .array(z.object({ id: text, name: text }))
      .describe(
        `Of \`api_key_usage\`: the first ${MAX_OLD_USAGE_KEYS.listed} keys that read the usage of the whole organization since ` +
          'before that could be chosen.',
      ),
  }),
);

export const LIST_ATTENTION = operation('listAttention', 'GET /v1/organization/attention', {
  tag: 'Organization',
  summary: 'List what somebody should look at, the worst first.',
  description:
    'Keys that vendors refuse, models that get no calls because they failed too often, providers, keys and models that were sent as ' +
    'much as they may be in a minute within the hour, and routes of which budgets leave targets ' +
    `out because they have no price (for those who read usage and settings); budgets and limits of which ${NEAR_END_PERCENT} % are used, or for which a call was refused within the hour; ` +
    `models that were called within 30 days, or that a route leads to, and that their vendor shuts down within ${MODEL_ENDS_DAYS} ` +
    `days; API keys that end within ${KEY_ENDS_DAYS} days, the ${MAX_ENDING_KEYS} that end first; and API keys of ` +
    'before `usage` could be chosen that read the usage of the whole organization, until it is set. Each kind is listed to those ' +
    'alone who may read what it is about; who may read keys in some projects alone is told of these.',
  access: { permission: null },
  query: cursorQuery({ limit: 20, max: 100 }).omit({ order: true }),
  answer: { description: 'A page of the list.', schema: pageOf('AttentionList', attentionItem) },
});

export const ATTENTION_OPERATIONS = [LIST_ATTENTION];

export function serveAttention(served: HttpApi, parts: SettingsParts): void {
  const { usage, reports, budgetUse, directory, providers } = parts;
  LIST_ATTENTION.serve(served, async ({ administrator, caller, query }) => {
    const inTurn = <Result>(work: () => Promise<Result>) => reports.run(caller.key.id, work);
    const concerns = await listConcerns(atWork(parts, administrator), {
      status: providers.status,
      organizations: served.admin.organizations,
      budgetUse,
      directory,
      reports: {
        buckets: (asked) => inTurn(() => usage.buckets(asked)),
        summarize: (asked) => inTurn(() => usage.summarize(asked)),
      },
    });
    return pageJson(pageAfter(concerns, query), concernJson);
  });
}

/** A concern that is resolved cannot be named by `after`: the order of the others may have changed since. */
function pageAfter(all: readonly Concern[], { limit, after }: { limit: number; after?: string }): Page<Concern> {
  const place = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && place < 0) throw invalid('after', 'names nothing that needs attention now: begin anew');
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
