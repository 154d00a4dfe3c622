import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { EndedCall } from '../core/records.ts';
import { intent, key, NOON, routed, settlement, temporaryFolder } from './fixtures.test.ts';
import { openStorage } from './open.ts';
import { recoverOthers } from './recover.ts';

/** Who is told of calls that end, and `upToDate`, behind which all that have ended were told. */
async function open(t: TestContext, folder = temporaryFolder(t), instanceId = 'instance_1') {
  const told: EndedCall[] = [];
  const onEnded = (calls: readonly EndedCall[]) => void told.push(...calls);
  const storage = await openStorage({ folder, instanceId, durability: 'normal', onEnded });
  t.after(() => storage.close());
  return { folder, storage, told, upToDate: () => storage.check() };
}

test('each call that ends is told once, also one that outlived the taking over of its intent', async (t) => {
  const { storage, told, upToDate } = await open(t);
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  await storage.keys.create(key(), Buffer.from('hash'));
  for (const number of [1, 2, 3]) await storage.ledger.intend(intent(number));
  await storage.ledger.settle(settlement(intent(1)));
  await upToDate();
  assert.deepEqual(
    told.map(({ settlement }) => settlement.id),
    [intent(1).id],
  );
  await storage.ledger.settle(
    settlement(intent(2), { routed: routed({ provider: 'other', upstreamModel: 'other-1' }) }),
  );
  await storage.ledger.settle(settlement(intent(3), { keyId: 'key_unknown' }));
  await upToDate();
  await upToDate();
  assert.deepEqual(
    told.map(({ settlement, ...call }) => [settlement.id, ...Object.values(call)]),
    [
      [intent(1).id, 'req_1', 'ci', 'small', 'lab', 'lab-small'],
      [intent(2).id, 'req_2', 'ci', 'small', 'other', 'other-1'],
      [intent(3).id, 'req_3', null, 'small', 'lab', 'lab-small'],
    ],
  );
  const [first] = told;
  assert.deepEqual(
    [first?.settlement.cost, first?.settlement.usage.outputTokens],
    [settlement(intent(1)).cost, settlement(intent(1)).usage.outputTokens],
  );
});

test('calls that a dead process left are told by who closes them', async (t) => {
  const { folder, storage, told } = await open(t);
  await storage.organizations.create({ id: 'org_1', name: 'First', createdAt: NOON });
  await storage.ledger.intend(intent(1));
  await storage.ledger.intend(intent(2));
  await storage.ledger.settle(settlement(intent(2)));
  const next = await open(t, folder, 'instance_2');
  assert.equal(await recoverOthers(next.storage, NOON), 1);
  assert.deepEqual(
    next.told.map(({ settlement }) => [settlement.id, settlement.status]),
    [
      [intent(2).id, 'succeeded'],
      [intent(1).id, 'interrupted'],
    ],
  );
  await storage.check();
  assert.deepEqual(told, [], 'and by nobody else');
});
