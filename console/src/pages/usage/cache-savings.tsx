import { useRead } from '../../api/use.ts';
import { exact } from '../../parts/format.ts';
import type { Summary } from '../../parts/usage.ts';
import { Money } from '../../parts/values.tsx';
import { type Asked, queryOf } from './asked.ts';

/**
 * What the tokens that vendors had cached would have cost beside what they cost, by the prices of today: what a call was charged
 * is kept, and what it was spared is not.
 */
export function CacheSavings({ asked }: { asked: Asked }) {
  const usage = useRead('summarizeUsage', { query: { ...queryOf(asked), by: 'model', limit: 1000 } });
  const catalog = useRead('listCatalog');
  if (usage.data === undefined || catalog.data === undefined)
    return <div className="skeleton h-6" aria-hidden="true" />;
  const prices = new Map(catalog.data.data.map(({ id, pricing }) => [id, pricing]));
  const { saved, unknownTokens } = savingsOf(usage.data, (model) => {
    const pricing = prices.get(model);
    return pricing?.input_per_1m == null || pricing.cache_read_per_1m == null
      ? null
      : pricing.input_per_1m - pricing.cache_read_per_1m;
  });
  if (usage.data.totals.cached_tokens === 0) return <p className="text-weak">Nothing of the input was cached.</p>;
  const without = `${exact(unknownTokens)} cached tokens of models and routes whose cache price is not known`;
  if (saved === null) return <p className="text-weak">What caching saved is not known: {without}.</p>;
  return (
    <p className="text-weak">
      Caching saved about{' '}
      <span className="font-medium text-text">
        <Money usd={saved} />
      </span>{' '}
      at today’s prices{unknownTokens > 0 && `, without ${without}`}.
    </p>
  );
}

/** @param sparedPer1m - what a million cached tokens of a model cost less; `null` where that is not known */
function savingsOf({ data }: Summary, sparedPer1m: (model: string) => number | null) {
  let saved: number | null = null;
  let unknownTokens = 0;
  for (const { model = '', cached_tokens } of data) {
    const spared = sparedPer1m(model);
    if (cached_tokens === 0) continue;
    if (spared === null) unknownTokens += cached_tokens;
    else saved = (saved ?? 0) + (cached_tokens * spared) / 1e6;
  }
  return { saved, unknownTokens };
}
