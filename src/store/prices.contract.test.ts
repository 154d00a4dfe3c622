import assert from 'node:assert/strict';
import { storageContract } from './contract.test.ts';
import { intent, PRICE } from './fixtures.test.ts';

storageContract('prices that calls were billed by', (contract) => {
  contract('each is told once, whole, of the model that it was for', async (own, open) => {
    const first = { ...PRICE, source: 'settings price_1', tiers: [{ abovePromptTokens: 5, rates: { input: 9n } }] };
    const second = { ...PRICE, source: 'settings price_2' };
    const { provider, upstreamModel } = intent(1);
    for (const [index, price] of [first, second, first].entries())
      await own.ledger.intend(intent(index + 1, { price }));
    const other = await open('instance_2');
    for (const { prices } of [own, other]) {
      const told = (await prices.ofModel(provider, upstreamModel)).map(({ price }) => price);
      assert.deepEqual(
        told.toSorted((one, next) => (one.source < next.source ? -1 : 1)),
        [first, second],
      );
      assert.deepEqual(await prices.ofModel(provider, 'another'), []);
    }
  });
});
