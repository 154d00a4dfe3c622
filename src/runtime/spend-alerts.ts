import type { Logger } from 'pino';
import type { Ids, Storage } from '../core/ports.ts';
import { BudgetAlerts } from '../limits/alerts.ts';
import { type SpendNotice, spendNotices } from '../organization/alerts/notices.ts';
import { CLOCK, type Setup } from './setup.ts';
import { mailOf } from './webhooks-and-mail.ts';

export type SpendAlertParts = { storage: Storage; ids: Ids; log: Logger; current(): Setup };

/** The spend alerts of all organizations. Settings are read again when one of them has changed. */
export function openSpendAlerts({ storage, ids, log, current }: SpendAlertParts): BudgetAlerts {
  let notices = new Map<string, SpendNotice>();
  let read: { changes: number; setup: Setup } | null = null;
  const { settings, webhooks, thresholds, organizations, keys } = storage;

  async function readAgain(): Promise<void> {
    const setup = current();
    const changes = await keys.changes();
    if (read?.changes === changes && read.setup === setup) return;
    const parts = { settings, webhooks, clock: CLOCK, ids, sendMail: mailOf(setup) };
    const all = [];
    for (const organization of await organizations.list()) all.push(...(await spendNotices(parts, organization)));
    notices = new Map(all.map((notice) => [notice.watched.id, notice]));
    read = { changes, setup };
  }

  return new BudgetAlerts({
    async watched() {
      await readAgain();
      return [...notices.values()].map(({ watched }) => watched);
    },
    store: thresholds,
    clock: CLOCK,
    onThreshold: async (passed) => notices.get(passed.id)?.tell(passed),
    onError: (error) => log.warn({ err: error }, 'An alert of spending could not be told. It is tried again.'),
  });
}
