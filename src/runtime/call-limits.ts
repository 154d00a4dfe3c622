import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Limiter, Storage } from '../core/ports.ts';
import { Budgets, SettingsBudgets } from '../limits/budgets.ts';
import { SharedRates } from '../limits/shared-rates.ts';
import { UsedUpNotes } from '../limits/used-up.ts';
import type { PipelineParts } from '../pipeline/parts.ts';
import type { ProcessParts } from './process-parts.ts';
import { CLOCK } from './setup.ts';

export type CallLimits = Pick<PipelineParts, 'budgetsOf' | 'onUsedUp' | 'rates'> & { limiter: Limiter };

/** The limits of calls: rates of keys and projects, and budgets. `config` is read for each call. */
export function callLimits(
  processParts: Pick<ProcessParts, 'limiter'>,
  config: () => Config,
  storage: Pick<Storage, 'thresholds'>,
  log: Logger,
): CallLimits {
  const ofSettings = new SettingsBudgets();
  const budgets = new Budgets({
    ofProduct: (product) => config().products.get(product)?.budget ?? null,
    ofKey: (key) => ofSettings.of(key.inForce),
  });
  const usedUpNotes = new UsedUpNotes({
    store: storage.thresholds,
    clock: CLOCK,
    onError: (error) => log.warn({ err: error }, 'It could not be noted that a budget is used up.'),
  });
  const limiter = processParts.limiter(() => config().limits);
  return {
    limiter,
    rates: new SharedRates(limiter, CLOCK),
    budgetsOf: (key, model, targets) => budgets.of(key, model, targets),
    onUsedUp: (usedUp) => usedUpNotes.note(usedUp),
  };
}
