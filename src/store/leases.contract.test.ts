import assert from 'node:assert/strict';
import { ExchangeNotDone } from '../core/leases.ts';
import { plainAsk, storageContract } from './contract.test.ts';

const ONE_REQUEST = { requests: 1n, tokens: 0n, spend: 0n, leastSpend: 0n };

storageContract('leases', (contract) => {
  const wanting = (id: string) => plainAsk(id, { requestsPerMinute: 2, wanted: ONE_REQUEST });

  contract('an exchange that is sent again takes nothing, and has the same answer', async (one, open) => {
    const first = { number: 1, asks: [wanting('key_1')] };
    const answer = await one.leases.exchange(first);
    assert.deepEqual(await one.leases.exchange(first), answer);
    const other = await open('instance_2');
    const grantedTo = async (number: number) =>
      (await other.leases.exchange({ number, asks: [wanting('key_1')] })).isGranted;
    assert.deepEqual([await grantedTo(1), await grantedTo(2)], [true, false]);
  });

  contract('an exchange that another has followed is refused', async (one) => {
    await one.leases.exchange({ number: 2, asks: [wanting('key_1')] });
    await assert.rejects(one.leases.exchange({ number: 1, asks: [wanting('key_1')] }), { kind: 'storage_unavailable' });
  });

  contract('an exchange that cannot be kept is not done, and says so', async (one) => {
    const spend = { amount: 100n, period: 'life', sinceDay: null, throughDay: null };
    const { reports } = plainAsk('key_1');
    const absurd = { ...reports, spend: { ...reports.spend, used: 10n ** 19n } };
    const asks = [wanting('key_1'), plainAsk('key_2', { spend, reports: absurd, hasOpenCalls: true })];
    await assert.rejects(one.leases.exchange({ number: 1, asks }), ExchangeNotDone);
    const grantedTo = async (number: number) =>
      (await one.leases.exchange({ number, asks: [wanting('key_1')] })).isGranted;
    assert.deepEqual([await grantedTo(2), await grantedTo(3), await grantedTo(4)], [true, true, false]);
  });

  contract('an exchange takes from all limits that it names or from none', async (one) => {
    await one.leases.exchange({ number: 1, asks: [wanting('key_1')] });
    await one.leases.exchange({ number: 2, asks: [wanting('key_1')] });
    const refused = await one.leases.exchange({ number: 3, asks: [wanting('key_1'), wanting('key_2')] });
    assert.deepEqual(
      [refused.isGranted, ...refused.grants.map(({ isRefused, requests }) => [isRefused, requests.missing > 60_000])],
      [false, [true, true], [false, false]],
    );
  });

  contract('what an instance held of money is free once its leases are ended', async (one, open) => {
    const other = await open('instance_2');
    const spend = { amount: 100n, period: 'life', sinceDay: null, throughDay: null };
    const wanted = { ...ONE_REQUEST, spend: 60n, leastSpend: 60n };
    const asks = [plainAsk('budget_1', { spend, wanted, blocks: { requests: 0n, tokens: 0n, spend: 30n } })];
    const [held] = (await one.leases.exchange({ number: 1, asks })).grants;
    assert.equal(held!.holds.spend, 30n);
    const left = async (number: number) => {
      const [grant] = (await other.leases.exchange({ number, asks: [plainAsk('budget_1', { spend })] })).grants;
      return grant!.spendLeft;
    };
    assert.equal(await left(1), 10n);
    await other.leases.end('instance_1');
    assert.equal(await left(2), 100n);
  });
});
