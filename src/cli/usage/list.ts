import { roundedText } from '../../core/money-text.ts';
import { CALL_STATUSES, SOURCES } from '../../core/records.ts';
import { REFUSED } from '../../core/refused-calls.ts';
import type { Query } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { ApiRefusal, inOptionsOf, OperatorError, UsageError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { nanoOf } from '../spend-text.ts';
import { type Column, table } from '../table.ts';
import type { ShownCall } from './answers.ts';
import { endOf, limitOf, sourceOf, startOf, timeOf } from './options.ts';

const LIMIT = { min: 1, max: 100, default: 20 };

/** Refused calls are listed only if asked for. */
const STATUSES = [...CALL_STATUSES, REFUSED];

const COLUMNS: readonly Column<ShownCall>[] = [
  { title: 'TIME (UTC)', of: ({ created_at: time }) => timeText(time * 1000) },
  { title: 'KEY', of: ({ api_key_id: id, api_key_name: name }) => (name ?? id) || '-' },
  { title: 'MODEL', of: ({ model }) => model || '-' },
  { title: 'PROVIDER', of: ({ provider }) => provider ?? '-' },
  { title: 'IN', of: (record) => tokens(record, record.input_tokens), align: 'right' },
  { title: 'OUT', of: (record) => tokens(record, record.output_tokens), align: 'right' },
  { title: 'COST', of: ({ cost_usd: cost }) => (cost === null ? '-' : roundedText(nanoOf(cost))), align: 'right' },
  { title: 'STATUS', of: ({ status, error }) => (error === null ? status : `${status}: ${error}`) },
];

export const usageList: Command = {
  name: 'usage list',
  about: 'List calls and their costs, newest first.',
  details: 'IN and OUT are tokens; “~” marks an estimate, “-” an unknown cost.',
  options: {
    model: { value: 'MODEL', about: 'Only calls of this model.' },
    source: { value: 'SOURCE', about: `Only calls of this source: ${SOURCES.join(', ')}.` },
    product: { value: 'PRODUCT', about: 'Only calls of this product.' },
    tool: { value: 'TOOL', about: 'Only calls of this developer tool.' },
    key: { value: 'ID', about: 'Only calls with this key.' },
    status: { value: 'STATUS', about: `Only calls with this status: ${STATUSES.join(', ')}.` },
    since: { value: 'WHEN', about: 'Only calls since then: a duration (7d, 12h) or a date (2026-11-01).' },
    until: { value: 'WHEN', about: 'Only calls before then.' },
    organization: { value: 'ID', about: 'Only calls of this organization.' },
    limit: { value: 'N', about: `Number of calls, ${LIMIT.min} to ${LIMIT.max} (default: ${LIMIT.default}).` },
    after: { value: 'ID', about: 'Continue after this record, the last one of the previous page.' },
  },
  examples: [
    'headgate usage list --limit 5',
    'headgate usage list --product helpdesk --since 7d',
    'headgate usage list --status refused',
    'headgate usage list --model gpt-4o-mini --json',
  ],
  async run({ values, tools, api }) {
    const asked = api.get<CallPage>('/v1/usage', queryOf(values, tools.clock.now()));
    const page = await inOptionsOf(OPTION_OF, asked).catch((error: unknown) => {
      throw isUnknownRecord(error) ? new OperatorError('--after is not the id of a usage record.') : error;
    });
    const { data, has_more: hasMore } = page;
    return {
      text: data.length === 0 ? noneText(values) : table(COLUMNS, data),
      json: page,
      notes: hasMore ? [`There are more. Add --after ${data.at(-1)?.id}`] : [],
    };
  },
};

type CallPage = { data: readonly ShownCall[]; has_more: boolean };

/** The options of the query's members. */
const OPTION_OF = { end_time: '--until' };

function isUnknownRecord(error: unknown): boolean {
  return error instanceof ApiRefusal && error.param === 'after';
}

/** The options alone may exclude all records. */
function noneText({ limit, ...narrowing }: CommandCall['values']): string {
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined);
  return isNarrowed ? 'No usage matches.' : 'No usage yet.';
}

/** The query that the options describe. Throws a `UsageError` that names the faulty option. */
function queryOf(
  { model, after, product, tool, key, since, until, ...values }: CommandCall['values'],
  now: number,
): Query {
  return {
    limit: limitOf(values.limit, LIMIT),
    ...{ model, after, product, tool, api_key_id: key },
    source: sourceOf(values.source),
    status: statusOf(values.status),
    start_time: since === undefined ? undefined : startOf(timeOf('--since', since, now)),
    end_time: until === undefined ? undefined : endOf(timeOf('--until', until, now)),
  };
}

/** The value of `--status`. Throws a `UsageError` if it is invalid. */
function statusOf(text: string | undefined): string | undefined {
  if (text === undefined || STATUSES.some((status) => status === text)) return text;
  throw new UsageError(`--status must be one of ${STATUSES.join(', ')}.`);
}

function tokens({ usage_source: source }: ShownCall, count: number): string {
  return source === 'estimated' ? `~${count}` : `${count}`;
}
