import type { UsageDetail, UsagePage, UsageQuery } from '../core/records.ts';
import type { SummaryQuery, UsageSummary } from '../core/usage-summary.ts';
import { checkOrganization } from './organizations.ts';
import type { Task } from './task.ts';

/** Records, newest first, with the names of keys by id. */
export const listUsageTask: Task<{ query: UsageQuery }, UsagePage> = {
  name: 'usage.list',
  ofNothing: () => ({ records: [], hasMore: false, keyNames: {} }),
  async run({ storage }, { query }) {
    await checkOrganization(storage, query.organizationId);
    return storage.usage.list(query);
  },
};

/** One complete call, by the id of its record or request; `null` if there is none. */
export const showUsageTask: Task<{ id: string }, UsageDetail | null> = {
  name: 'usage.show',
  ofNothing: () => null,
  run: ({ storage }, { id }) => storage.calls.find(null, id),
};

/** `null` if there is no data yet. */
export const summarizeUsageTask: Task<{ query: SummaryQuery }, UsageSummary | null> = {
  name: 'usage.summary',
  ofNothing: () => null,
  async run({ storage }, { query }) {
    await checkOrganization(storage, query.organizationId);
    return storage.usage.summarize(query);
  },
};
