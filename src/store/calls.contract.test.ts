import assert from 'node:assert/strict';
import type { Storage } from '../core/ports.ts';
import type { DecidedCall, Intent, Settlement, UsageDetail, UsageQuery } from '../core/records.ts';
import { leasedSpending, settleAll, storageContract } from './contract.test.ts';
import { attempt, decision, intent, intentAt, key, NOON, PRICE, routed, settlement } from './fixtures.test.ts';
import { recoverOthers } from './recover.ts';

const HOUR = 3_600_000;

storageContract('routed calls', (contract) => {
  contract('a call is found whole, by its own id and its request’s', async (storage) => {
    const opened = intent(1, {
      source: 'developer_tool',
      tool: { name: 'codex', version: null },
      keyId: 'key_2',
    });
    const refused = attempt(opened, {
      credential: 'second',
      status: 'failed',
      httpStatus: 504,
      errorKind: 'upstream_timeout',
      endedAt: NOON + 400,
      usageSource: 'none',
      possiblyBilled: true,
      errorCode: null,
    });
    const served = attempt(opened, {
      provider: 'spare',
      upstreamModel: 'spare-large',
      credential: 'third',
      upstreamRequestId: 'theirs',
      startedAt: NOON + 450,
      endedAt: NOON + 901,
    });
    await storage.ledger.intend(opened);
    const closed = settlement(opened, { attempts: [refused, served], routed: routed() });
    await storage.ledger.settle(closed);
    const found = await storage.calls.find('org_1', opened.id);
    assert.deepEqual(found?.attempts, [refused, served]);
    assert.deepEqual(found?.decision, decision());
    const { provider, upstreamModel, vendorCost, cost, tool, product } = found!.record;
    assert.deepEqual(
      [provider, upstreamModel, vendorCost, cost, tool, product],
      ['spare', 'spare-large', 999_999n, 240_000n, { name: 'codex', version: null }, null],
    );
    assert.deepEqual((await storage.usage.list({ organizationId: 'org_1', limit: 1 }))?.records, [found!.record]);
    assert.deepEqual(await storage.calls.find('org_1', 'req_1'), found);
    assert.deepEqual(await storage.calls.find(null, 'req_1'), found);
    for (const id of [opened.id, 'req_1']) assert.equal(await storage.calls.find('org_2', id), null);
    for (const id of ['usage_unknown', 'req_9', '']) assert.equal(await storage.calls.find('org_1', id), null);
  });

  contract('names are kept without the characters that some databases refuse or change', async (storage, open) => {
    const odd = 'a\u0000b\ud800c😀\\u0000\\\u0000';
    const kept = 'a\ufffdb\ufffdc😀\\u0000\\\ufffd';
    const tool = { name: odd, version: odd };
    const call = intent(1, { model: odd, requestedModel: odd, source: 'developer_tool', tool });
    const failed = attempt(call, {
      status: 'failed',
      errorKind: 'upstream_error',
      errorCode: odd,
      upstreamRequestId: odd,
    });
    await storage.ledger.intend(call);
    await storage.ledger.settle(
      settlement(call, { status: 'failed', errorKind: 'upstream_error', attempts: [failed], dropped: [odd] }),
    );
    const { record, attempts } = (await storage.calls.find('org_1', call.id))!;
    assert.deepEqual([record.model, record.requestedModel, record.tool], [kept, kept, { name: kept, version: kept }]);
    assert.deepEqual([attempts[0]?.errorCode, attempts[0]?.upstreamRequestId, record.dropped], [kept, kept, [kept]]);
    const found = await storage.usage.list({ organizationId: 'org_1', limit: 1, model: kept });
    assert.equal(found?.records.length, 1);
    // Another instance settles a call past its journal.
    const left = intent(2);
    await storage.ledger.intend(left);
    const other = await open('instance_2');
    await other.ledger.settle(
      settlement(left, { attempts: [attempt(left, { upstreamRequestId: odd })], dropped: [odd] }),
    );
    const settled = (await storage.calls.find('org_1', left.id))!;
    assert.deepEqual([settled.attempts[0]?.upstreamRequestId, settled.record.dropped], [kept, [kept]]);
  });

  contract('a last attempt that ended otherwise than its call is told as it ended', async (storage) => {
    const left = intent(1);
    const failed = attempt(left, {
      status: 'failed',
      httpStatus: 503,
      errorKind: 'upstream_error',
      usageSource: 'none',
    });
    await storage.ledger.intend(left);
    const gone = { status: 'cancelled', httpStatus: 499, errorKind: 'client_closed_request' } as const;
    await storage.ledger.settle(settlement(left, { ...gone, attempts: [failed] }));

    const refused = intent(2);
    const first = attempt(refused, { status: 'failed', httpStatus: 400, errorKind: 'upstream_rejected' });
    const second = { ...failed, provider: 'spare', upstreamModel: 'spare-large' };
    await storage.ledger.intend(refused);
    await storage.ledger.settle(
      settlement(refused, {
        status: 'failed',
        httpStatus: 400,
        errorKind: 'upstream_rejected',
        attempts: [first, second],
        routed: routed({ provider: refused.provider, upstreamModel: refused.upstreamModel }),
      }),
    );

    for (const [call, attempts] of [
      [left, [failed]],
      [refused, [first, second]],
    ] as const) {
      const found = await storage.calls.find('org_1', call.id);
      assert.deepEqual(found?.attempts, attempts);
      assert.equal(found?.record.attempts, attempts.length);
    }
  });

  contract('what is told of a call is the same however its records reach the tables', async (_, open) => {
    const plain = intent(1);
    const ofProduct = intent(2, { source: 'product', product: 'helpdesk' });
    const calls: [Intent, Partial<Settlement>][] = [
      [plain, {}],
      [ofProduct, { attempts: [] }],
      [intent(3), { routed: routed({ vendorCost: 240_000n, decision: null }) }],
      [intent(4), { routed: routed({ vendorCost: null, price: null }), attempts: [attempt(plain, { endedAt: 1 })] }],
      [intent(5), { attempts: [attempt(plain, { credential: 'second' })] }],
      [intent(6), { attempts: [attempt(plain, { possiblyBilled: true, status: 'failed' }), attempt(plain)] }],
      [intent(7, { source: 'developer_tool', tool: { name: 'x', version: '1' } }), { routed: routed(), cost: null }],
    ];
    const told: (UsageDetail | null)[][] = [];
    for (const way of ['together', 'apart', 'by another', 'past the journal'] as const) {
      const writer = await open(`writer ${way}`.replaceAll(' ', '_'));
      const reader = way === 'by another' ? await open('reader') : writer;
      const own = calls.map(([call]) => ({ ...call, id: `${call.id}_${way}`, requestId: `${call.requestId}_${way}` }));
      const ends = own.map((call, index) => settlement(call, calls[index]![1]));
      await Promise.all(own.map((call) => writer.ledger.intend(call)));
      if (way === 'apart') await writer.check();
      if (way === 'past the journal') {
        await writer.close();
        const next = await open('next');
        await Promise.all(ends.map((end) => next.ledger.settle(end)));
        told.push(await Promise.all(own.map(({ id }) => next.calls.find('org_1', id))));
        continue;
      }
      await Promise.all(ends.map((end) => writer.ledger.settle(end)));
      told.push(await Promise.all(own.map(({ id }) => reader.calls.find('org_1', id))));
    }
    const [first, ...others] = told.map((each) =>
      each.map((detail) => ({ ...detail, record: { ...detail?.record, id: '', requestId: '' } })),
    );
    for (const other of others) assert.deepEqual(other, first);
    assert.deepEqual(
      first!.map(({ record }) => [record.vendorCost, record.provider, record.product, record.tool?.name]),
      [
        [240_000n, 'lab', null, undefined],
        [240_000n, 'lab', 'helpdesk', undefined],
        [240_000n, 'spare', null, undefined],
        [null, 'spare', null, undefined],
        [240_000n, 'lab', null, undefined],
        [240_000n, 'lab', null, undefined],
        [999_999n, 'spare', null, 'x'],
      ],
    );
  });

  contract('a call is found by its request, whether the id tells its time or is of before that', async (storage) => {
    const calls = Array.from({ length: 4_100 }, (_, number) => intent(number));
    const request = (time: number, chance: string) => `req_${time.toString(16).padStart(12, '0')}${chance.repeat(20)}`;
    const timed = [
      intentAt(NOON, 1, { requestId: request(NOON, 'a') }),
      intentAt(NOON + 59_000, 2, { requestId: request(NOON, 'b'), organizationId: 'org_2' }),
      // The clock was set back while the request came in.
      intentAt(NOON - 30_000, 3, { requestId: request(NOON, 'c') }),
    ];
    await settleAll(storage, [...calls, ...timed]);
    await storage.ledger.intend(intent(5_000));
    assert.equal((await storage.calls.find('org_1', 'req_3'))?.record.id, intent(3).id);
    assert.equal((await storage.calls.find(null, 'req_4099'))?.decision, null);
    assert.equal(await storage.calls.find('org_1', 'req_5000'), null);
    for (const { requestId, organizationId, id } of timed) {
      assert.equal((await storage.calls.find(organizationId, requestId))?.record.id, id);
      assert.equal((await storage.calls.find(null, requestId))?.record.id, id);
    }
    assert.equal(await storage.calls.find('org_1', request(NOON, 'b')), null);
    assert.equal(await storage.calls.find(null, request(NOON, 'd')), null);
  });

  contract('a call that was interrupted says that its vendor may have charged for it', async (dead, open) => {
    await dead.ledger.intend(intent(1, { source: 'product', product: 'helpdesk' }));
    const alive = await open('instance_2');
    await recoverOthers(alive, NOON + 60_000);
    const found = await alive.calls.find('org_1', intent(1).id);
    assert.deepEqual(
      found?.attempts.map(({ status, possiblyBilled, credential }) => [status, possiblyBilled, credential]),
      [['interrupted', true, 'default']],
    );
    assert.deepEqual([found?.record.cost, found?.record.vendorCost], [150_000n, 150_000n]);
    assert.equal(found?.record.product, 'helpdesk');
  });

  contract(
    'a call that was interrupted does not end before it began, wherever the clock was set',
    async (dead, open) => {
      await dead.ledger.intend(intent(1));
      const alive = await open('instance_2');
      await recoverOthers(alive, NOON - 3_600_000);
      const found = (await alive.calls.find('org_1', intent(1).id))!;
      const { createdAt } = intent(1);
      assert.deepEqual(
        found.attempts.map(({ startedAt, endedAt }) => [startedAt, endedAt]),
        [[createdAt, createdAt]],
      );
    },
  );

  contract('an interrupted call at a product’s price does not say what its vendor charged', async (dead, open) => {
    await dead.ledger.intend(intent(1, { price: { ...PRICE, source: 'route acme/fast' } }));
    const alive = await open('instance_2');
    await recoverOthers(alive, NOON + 60_000);
    const { record } = (await alive.calls.find('org_1', intent(1).id))!;
    assert.deepEqual([record.cost, record.vendorCost], [150_000n, null]);
  });

  contract('decisions of a route are read oldest first from a time on, and go with their calls', async (storage) => {
    const calls = Array.from({ length: 250 }, (_, number) => intent(number, { createdAt: NOON + (number >> 1) }));
    const ends = calls.map((call, index) =>
      settlement(call, { routed: routed({ decision: decision({ seed: index, route: `acme/${index % 5}` }) }) }),
    );
    await Promise.all(calls.map((call) => storage.ledger.intend(call)));
    await Promise.all(ends.map((end) => storage.ledger.settle(end)));
    const read = async (route: string, from: number) => {
      const found: DecidedCall[] = [];
      for await (const batch of storage.calls.decisions(route, from)) found.push(...batch);
      assert.ok(found.every(({ record }) => record.createdAt === NOON + (Number(record.requestId.slice(4)) >> 1)));
      return found.map(({ record, decision: { seed } }) => {
        assert.equal(record.requestId, `req_${seed}`);
        return seed;
      });
    };
    const every = (step: number, start: number) => calls.flatMap((_, index) => (index % step === start ? [index] : []));
    assert.deepEqual(await read('acme/2', 0), every(5, 2));
    assert.deepEqual(
      await read('acme/0', NOON + 50),
      every(5, 0).filter((index) => index >= 100),
    );
    assert.deepEqual(await read('acme/5', 0), []);
    assert.equal(await storage.purge(NOON + 100), 200);
    assert.deepEqual(
      await read('acme/1', 0),
      every(5, 1).filter((index) => index >= 200),
    );
  });

  contract('more decided calls than are read at once are all read, once each', async (storage) => {
    const calls = Array.from({ length: 320 }, (_, number) => intent(number, { createdAt: NOON }));
    const end = (call: Intent, seed: number) => settlement(call, { routed: routed({ decision: decision({ seed }) }) });
    await Promise.all(calls.map((call) => storage.ledger.intend(call)));
    await Promise.all(calls.map((call, seed) => storage.ledger.settle(end(call, seed))));
    const seeds: number[] = [];
    for await (const batch of storage.calls.decisions('acme/fast', NOON)) {
      seeds.push(...batch.map(({ decision: { seed } }) => seed));
    }
    assert.deepEqual(
      seeds,
      calls.map((_, index) => index),
    );
  });
});

storageContract('filters', (contract) => {
  contract('calls are found by whose they are, alone and together', async (storage) => {
    await settleAll(storage, [
      intent(1),
      intent(2, { source: 'product', product: 'helpdesk', keyId: 'key_2' }),
      intent(3, { source: 'product', product: 'search', keyId: 'key_3' }),
      intent(4, { source: 'developer_tool', tool: { name: 'codex', version: '0.169.0' } }),
      intent(5, { source: 'developer_tool', tool: { name: 'claude-code', version: null }, model: 'large' }),
      intent(6, { source: 'product', product: 'helpdesk', keyId: 'key_2', organizationId: 'org_2' }),
    ]);
    assert.deepEqual(await listed(storage, { source: 'product' }), ['req_3', 'req_2']);
    assert.deepEqual(await listed(storage, { product: 'helpdesk' }), ['req_2']);
    assert.deepEqual(await listed(storage, { product: 'helpdesk', organizationId: null }), ['req_6', 'req_2']);
    assert.deepEqual(await listed(storage, { tool: 'codex' }), ['req_4']);
    assert.deepEqual(await listed(storage, { keyId: 'key_1' }), ['req_5', 'req_4', 'req_1']);
    assert.deepEqual(await listed(storage, { keyId: 'key_1', source: 'developer_tool', model: 'large' }), ['req_5']);
    assert.deepEqual(await listed(storage, { tool: 'codex', product: 'helpdesk' }), []);
  });

  contract('times are from the first, inclusive, to the second, exclusive, page by page', async (storage) => {
    const at = [NOON - 1, NOON, NOON, NOON + 1, NOON + HOUR - 1, NOON + HOUR, NOON + 2 * HOUR];
    // A clock that was set back: the id's time is later than the record's.
    const late = intentAt(NOON + HOUR + 30_000, 7, { createdAt: NOON + HOUR - 10 });
    await settleAll(storage, [...at.map((time, number) => intentAt(time, number)), late]);
    const between = (from?: number, until?: number) =>
      listed(storage, { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) });
    assert.deepEqual(await between(NOON, NOON + HOUR), ['req_7', 'req_4', 'req_3', 'req_2', 'req_1']);
    assert.deepEqual(await between(NOON + HOUR), ['req_6', 'req_5']);
    assert.deepEqual(await between(undefined, NOON), ['req_0']);
    assert.deepEqual(await between(NOON, NOON), []);
    assert.deepEqual(await between(0, 8.64e15), await between());
    const query = { organizationId: 'org_1', from: NOON, until: NOON + HOUR, limit: 2 };
    const first = await storage.usage.list(query);
    assert.equal(first?.hasMore, true);
    const second = await storage.usage.list({ ...query, limit: 3, after: first!.records[1]!.id });
    assert.deepEqual(
      second?.records.map(({ requestId }) => requestId),
      ['req_3', 'req_2', 'req_1'],
    );
    assert.equal(second?.hasMore, false);
  });
});

storageContract('products', (contract) => {
  contract('a product has spent what all of its keys have, and no other', async (storage, open) => {
    const owners = [null, 'helpdesk', 'helpdesk', 'search'];
    for (const [index, product] of owners.entries()) {
      const made = key({ id: `key_${index}`, source: product === null ? 'api_key' : 'product', product });
      await storage.keys.create(made, Buffer.from(`hash ${index}`));
    }
    const yesterday = NOON - 24 * HOUR;
    await settleAll(
      storage,
      owners.flatMap((product, index) => [
        intent(index, { keyId: `key_${index}`, product, price: PRICE }),
        intent(10 + index, { keyId: `key_${index}`, product, createdAt: yesterday }),
      ]),
    );
    for (const each of [storage, await open('instance_2')]) {
      assert.equal(await each.spend.spent('product:helpdesk', null), 4n * 240_000n);
      assert.equal(await each.spend.spent('product:helpdesk', '2026-11-21'), 2n * 240_000n);
      assert.equal(await each.spend.spent('product:search', null), 2n * 240_000n);
      assert.equal(await each.spend.spent('key_1', null), 2n * 240_000n);
      assert.equal(await each.spend.spent('product:none', null), 0n);
      // What a wrong clock has put into a later day counts on that day.
      assert.equal(await each.spend.spent('product:helpdesk', '2026-11-20', '2026-11-20'), 2n * 240_000n);
      assert.equal(await each.spend.spent('key_1', '2026-11-01', '2026-11-20'), 240_000n);
      assert.equal(await leasedSpending(each, 'product:helpdesk', '2026-11-21'), 2n * 240_000n);
      assert.equal(await leasedSpending(each, 'key_1', null), 2n * 240_000n);
      assert.equal(await leasedSpending(each, 'key_1', '2026-11-01', '2026-11-20'), 240_000n);
    }
  });
});

async function listed(storage: Storage, query: Partial<UsageQuery>): Promise<string[] | undefined> {
  const page = await storage.usage.list({ organizationId: 'org_1', limit: 20, ...query });
  return page?.records.map(({ requestId }) => requestId);
}
