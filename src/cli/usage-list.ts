import type { UsageRecord } from '../core/records.ts';
import type { Command } from './command.ts';
import { OperatorError, UsageError } from './failure.ts';
import { checkOrganization, readData } from './stored.ts';
import { type Column, table } from './table.ts';
import { moneyText, timeText } from './words.ts';

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
    organization: { value: 'ID', about: 'Only calls of this organization.' },
    limit: { value: 'N', about: `How many, ${LIMIT.min} to ${LIMIT.max}; left out, ${LIMIT.default}.` },
    after: { value: 'ID', about: 'Go on after this record: the last one of the page before.' },
  },
  examples: ['headgate usage list --limit 5', 'headgate usage list --model gpt-4o-mini --json'],
  async run({ values, where, tools }) {
    const { model, after, organization = null } = values;
    const limit = limitOf(values.limit);
    const page = await readData(tools, tools.readSetup(where), async (storage) => {
      await checkOrganization(storage, organization);
      return storage.usage.list({
        organizationId: organization,
        limit,
        ...(model === undefined ? {} : { model }),
        ...(after === undefined ? {} : { after }),
      });
    });
    if (page.kept === null) throw new OperatorError('--after is not the id of a usage record.');
    const { records, hasMore } = page.kept ?? { records: [], hasMore: false };
    return {
      text: records.length === 0 ? 'No usage yet.' : table(COLUMNS, records),
      json: {
        object: 'list',
        data: records.map((record) => ({
          ...tools.usageRecordJson(record),
          organization_id: record.organizationId,
        })),
        has_more: hasMore,
      },
      notes: [...page.notes, ...(hasMore ? [`There is more: add --after ${records.at(-1)?.id}`] : [])],
    };
  },
};

function limitOf(text = `${LIMIT.default}`): number {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= LIMIT.min && limit <= LIMIT.max) return limit;
  throw new UsageError(`--limit must be a whole number from ${LIMIT.min} to ${LIMIT.max}.`);
}

function tokens({ usageSource }: UsageRecord, count: number): string {
  return usageSource === 'estimated' ? `~${count}` : `${count}`;
}
