import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandCall } from '../command.ts';
import { ApiRefusal } from '../failure.ts';
import { budgetsOverride } from './budgets.ts';

test('an override is added to the current ones, again if others changed the budget meanwhile', async () => {
  const now = Date.parse('2026-11-27T12:00:00Z');
  const ended = { amount_usd: '1', ends_at: now / 1000 };
  const others = [ended, { amount_usd: '2', ends_at: now / 1000 + 1 }];
  const sent: object[] = [];
  let version = 3;
  const budget = () => ({ id: 'b', name: 'research', hard: true, limit_usd: '7', interval: 'month', version });
  const api = {
    list: async () => ({ data: [{ ...budget(), overrides: others }] }),
    async post(_: string, body: object) {
      sent.push(body);
      version += 1;
      if (sent.length === 1) throw new ApiRefusal('It has changed.', { status: 409, param: null });
      return budget();
    },
  };
  const call = {
    argument: 'research',
    second: '5',
    values: { until: '1d' },
    tools: { clock: { now: () => now } },
    api,
  };
  await budgetsOverride.run(call as unknown as CommandCall);
  const overrides = [others[1], { amount_usd: '5', ends_at: now / 1000 + 86_400 }];
  assert.deepEqual(sent, [
    { overrides, if_version: 3 },
    { overrides, if_version: 4 },
  ]);
});
