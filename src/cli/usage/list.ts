import { roundedText } from '../../core/money-text.ts';
import { type KeyNames, SOURCES, type UsageQuery, type UsageRecord } from '../../core/records.ts';
import { listUsageTask } from '../../tasks/usage.ts';
import type { Command, CommandCall } from '../command.ts';
import { OperatorError } from '../failure.ts';
import { perform } from '../perform.ts';
import { timeText } from '../phrases.ts';
import { type Column, table } from '../table.ts';
import { limitOf, sourceOf, timeOf } from './options.ts';

const LIMIT = { min: 1, max: 100, default: 20 };

const columnsFor = (keyNames: KeyNames): readonly Column<UsageRecord>[] => [
  { title: 'TIME (UTC)', of: ({ createdAt }) => timeText(createdAt) },
  { title: 'KEY', of: ({ keyId }) => keyNames[keyId] ?? keyId },
  { title: 'MODEL', of: ({ model }) => model },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'IN', of: (record) => tokens(record, record.usage.inputTokens), align: 'right' },
  { title: 'OUT', of: (record) => tokens(record, record.usage.outputTokens), align: 'right' },
  { title: 'COST', of: ({ cost }) => roundedText(cost), align: 'right' },
  { title: 'STATUS', of: ({ status, errorKind }) => (errorKind === null ? status : `${status}: ${errorKind}`) },
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
    since: { value: 'WHEN', about: 'Only calls since then: a duration (7d, 12h) or a date (2026-11-01).' },
    until: { value: 'WHEN', about: 'Only calls before then.' },
    organization: { value: 'ID', about: 'Only calls of this organization.' },
    limit: { value: 'N', about: `Number of calls, ${LIMIT.min} to ${LIMIT.max} (default: ${LIMIT.default}).` },
    after: { value: 'ID', about: 'Continue after this record, the last one of the previous page.' },
  },
  examples: [
    'headgate usage list --limit 5',
    'headgate usage list --product helpdesk --since 7d',
    'headgate usage list --model gpt-4o-mini --json',
  ],
  async run({ values, where, tools }) {
    const { organization = null } = values;
    const query = queryOf(values, tools.clock.now());
    const input = { query: { ...query, organizationId: organization } };
    const { answer: page, notes } = await perform(tools, tools.readSetup(where), listUsageTask, input);
    if (page === null) throw new OperatorError('--after is not the id of a usage record.');
    const { records, hasMore, keyNames } = page;
    const { usageRecordJson } = await tools.usageShapes();
    return {
      text: records.length === 0 ? noneText(values) : table(columnsFor(keyNames), records),
      json: {
        object: 'list',
        data: records.map((record) => ({
          ...usageRecordJson(record, keyNames[record.keyId] ?? null, true),
          organization_id: record.organizationId,
        })),
        has_more: hasMore,
      },
      notes: [...notes, ...(hasMore ? [`There are more. Add --after ${records.at(-1)?.id}`] : [])],
    };
  },
};

/** The options alone may exclude all records. */
function noneText({ limit, ...narrowing }: CommandCall['values']): string {
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined);
  return isNarrowed ? 'No usage matches.' : 'No usage yet.';
}

/** The query that the options describe. Throws a `UsageError` that names the faulty option. */
function queryOf(values: CommandCall['values'], now: number): Omit<UsageQuery, 'organizationId'> {
  const { model, after, product, tool, key, since, until } = values;
  const source = sourceOf(values.source);
  return {
    limit: limitOf(values.limit, LIMIT),
    ...(model === undefined ? {} : { model }),
    ...(after === undefined ? {} : { after }),
    ...(source === undefined ? {} : { source }),
    ...(product === undefined ? {} : { product }),
    ...(tool === undefined ? {} : { tool }),
    ...(key === undefined ? {} : { keyId: key }),
    ...(since === undefined ? {} : { from: timeOf('--since', since, now) }),
    ...(until === undefined ? {} : { until: timeOf('--until', until, now) }),
  };
}

function tokens({ usageSource }: UsageRecord, count: number): string {
  return usageSource === 'estimated' ? `~${count}` : `${count}`;
}
