import { SOURCES, type UsageQuery, type UsageRecord } from '../../core/records.ts';
import type { Command, CommandCall } from '../command.ts';
import { OperatorError, UsageError } from '../failure.ts';
import { checkOrganization, readData } from '../stored.ts';
import { type Column, table } from '../table.ts';
import { momentOf } from '../when.ts';
import { moneyText, timeText } from '../words.ts';

const LIMIT = { min: 1, max: 100, default: 20 };

const COLUMNS: readonly Column<UsageRecord>[] = [
  { title: 'TIME (UTC)', of: ({ createdAt }) => timeText(createdAt) },
  { title: 'MODEL', of: ({ model }) => model },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'IN', of: (record) => tokens(record, record.usage.inputTokens), align: 'right' },
  { title: 'OUT', of: (record) => tokens(record, record.usage.outputTokens), align: 'right' },
  { title: 'COST', of: ({ cost }) => moneyText(cost), align: 'right' },
  { title: 'STATUS', of: ({ status, errorKind }) => (errorKind === null ? status : `${status}: ${errorKind}`) },
];

export const usageList: Command = {
  name: 'usage list',
  about: 'Show what was called and what it cost, newest first.',
  details: 'IN and OUT are tokens; “~” stands before what was estimated, “-” where a cost is not known.',
  options: {
    model: { value: 'MODEL', about: 'Only calls of this model.' },
    source: { value: 'SOURCE', about: `Only calls of this source: ${SOURCES.join(', ')}.` },
    product: { value: 'PRODUCT', about: 'Only calls of this product.' },
    tool: { value: 'TOOL', about: 'Only calls of this developer tool.' },
    key: { value: 'ID', about: 'Only calls with this key.' },
    since: { value: 'WHEN', about: 'Only calls from then on: a while ago (7d, 12h), or a date (2026-11-01).' },
    until: { value: 'WHEN', about: 'Only calls before then.' },
    organization: { value: 'ID', about: 'Only calls of this organization.' },
    limit: { value: 'N', about: `How many, ${LIMIT.min} to ${LIMIT.max}; left out, ${LIMIT.default}.` },
    after: { value: 'ID', about: 'Go on after this record: the last one of the page before.' },
  },
  examples: [
    'headgate usage list --limit 5',
    'headgate usage list --product helpdesk --since 7d',
    'headgate usage list --model gpt-4o-mini --json',
  ],
  async run({ values, where, tools }) {
    const { organization = null } = values;
    const query = queryOf(values, tools.clock.now());
    const page = await readData(tools, tools.readSetup(where), async (storage) => {
      await checkOrganization(storage, organization);
      return storage.usage.list({ ...query, organizationId: organization });
    });
    if (page.kept === null) throw new OperatorError('--after is not the id of a usage record.');
    const { records, hasMore } = page.kept ?? { records: [], hasMore: false };
    const { usageRecordJson } = await tools.usageShapes();
    return {
      text: records.length === 0 ? 'No usage yet.' : table(COLUMNS, records),
      json: {
        object: 'list',
        data: records.map((record) => ({
          ...usageRecordJson(record),
          organization_id: record.organizationId,
        })),
        has_more: hasMore,
      },
      notes: [...page.notes, ...(hasMore ? [`There is more: add --after ${records.at(-1)?.id}`] : [])],
    };
  },
};

/** What the options ask for. Throws a `UsageError` that names the option at fault. */
function queryOf(values: CommandCall['values'], now: number): Omit<UsageQuery, 'organizationId'> {
  const { model, after, product, tool, key, since, until } = values;
  const source = values.source === undefined ? undefined : SOURCES.find((each) => each === values.source);
  if (source === undefined && values.source !== undefined) {
    throw new UsageError(`--source must be one of ${SOURCES.join(', ')}.`);
  }
  return {
    limit: limitOf(values.limit),
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

function timeOf(option: string, text: string, now: number): number {
  const moment = momentOf(text, now, 'ago');
  if (moment !== null) return moment;
  throw new UsageError(`${option} must be a while ago such as 7d or 12h, or a date such as 2026-11-01 (UTC).`);
}

function limitOf(text = `${LIMIT.default}`): number {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= LIMIT.min && limit <= LIMIT.max) return limit;
  throw new UsageError(`--limit must be a whole number from ${LIMIT.min} to ${LIMIT.max}.`);
}

function tokens({ usageSource }: UsageRecord, count: number): string {
  return usageSource === 'estimated' ? `~${count}` : `${count}`;
}
