import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { intent, NOON, settlement, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';
import { recoverOthers } from './recover.ts';

const ROUNDS = 10;
const CALLS_PER_ROUND = 1_000_000;
const COST = 240_000n;
/** Held for each call, and so what one counts that was open when its process died. */
const HELD = 900_000n;

const [, , role, folder, round] = process.argv;
if (role === 'writer' && folder !== undefined) await writeForEver(folder, Number(round));
else test('kill -9 loses nothing that was acknowledged and counts nothing twice', killAndReopen);

/** The child: fifty callers, and each acknowledged id printed. One that is lost in the pipe is only not checked. */
async function writeForEver(folder: string, round: number): Promise<void> {
  const { ledger } = await openStorage({ folder, instanceId: `writer_${round}`, durability: 'normal' });
  let next = round * CALLS_PER_ROUND;
  const caller = async () => {
    for (;;) {
      const call = intent(next++, { held: HELD });
      await ledger.intend(call);
      process.stdout.write(`opened ${call.id}\n`);
      await ledger.settle(settlement(call));
      process.stdout.write(`settled ${call.id}\n`);
    }
  };
  await Promise.all(Array.from({ length: 50 }, caller));
}

async function killAndReopen(t: TestContext): Promise<void> {
  const folder = temporaryFolder(t);
  const acknowledged = { opened: new Set<string>(), settled: new Set<string>() };
  let interrupted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await runAndKill(folder, round, acknowledged);
    await using storage = await reopen(folder, round);
    if (round === 0) await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
    interrupted += await recoverOthers(storage, NOON);
    assert.equal(await recoverOthers(storage, NOON), 0);

    const page = await storage.usage.list({ organizationId: 'org_1', limit: CALLS_PER_ROUND });
    const statusOf = new Map(page?.records.map((record) => [record.id, record.status]));
    for (const id of acknowledged.opened) assert.ok(statusOf.has(id), `${id} was opened`);
    for (const id of acknowledged.settled) assert.equal(statusOf.get(id), 'succeeded', `${id} was settled`);
    assert.ok(page?.records.every((record) => record.attempts === 1));
    const succeeded = statusOf.size - interrupted;
    assert.equal(await storage.spend.spent('key_1', null), BigInt(succeeded) * COST + BigInt(interrupted) * HELD);
  }
  assert.ok(interrupted > 0, 'some calls were open when their process died');
}

/** Kills the writer after a random number of acknowledgements, in the middle of whatever it is doing then. */
async function runAndKill(
  folder: string,
  round: number,
  seen: Record<'opened' | 'settled', Set<string>>,
): Promise<void> {
  const child = spawn(process.execPath, [import.meta.filename, 'writer', folder, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let left = 1 + Math.floor(Math.random() * 400);
  for await (const line of createInterface(child.stdout)) {
    const [, what, id] = /^(opened|settled) (usage_\d{8})$/.exec(line) ?? [];
    if (id !== undefined && (what === 'opened' || what === 'settled')) seen[what].add(id);
    if (--left === 0) child.kill('SIGKILL');
  }
  await exit;
}

async function reopen(folder: string, round: number) {
  const storage = await openStorage({ folder, instanceId: `reader_${round}`, durability: 'normal' });
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() };
}
