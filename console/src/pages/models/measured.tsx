import { useRead } from '../../api/use.ts';
import { TextLink } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { money, percent } from '../../parts/format.ts';
import { SkeletonRows } from '../../parts/states.tsx';
import { Count, Money } from '../../parts/values.tsx';
import type { Model } from './choose.ts';

/** What calls of a model came to here. */
export function Measured({ model: { id } }: { model: Model }) {
  const read = useRead('summarizeUsage', { query: { model: id, by: 'provider' } });
  const summary = read.isPlaceholderData ? undefined : read.data;
  if (read.error) return <Failure error={read.error} />;
  if (summary === undefined) return <SkeletonRows rows={3} />;
  const { totals, data } = summary;
  if (totals.calls === 0) return <p className="text-table text-weak">Nobody called it in this time.</p>;
  const known = totals.calls - totals.calls_without_cost;
  return (
    <div className="grid gap-3">
      <Facts
        facts={[
          ['Calls', <Count key="calls" count={totals.calls} />],
          ['Failed', percent(totals.failed_calls / totals.calls)],
          ['Spent', <Money key="cost" usd={totals.cost_usd} />],
          totals.cost_usd === null || known === 0 ? null : ['For a call', money(totals.cost_usd / known)],
          ['Tokens', <Count key="tokens" count={totals.total_tokens} />],
          totals.input_tokens === 0
            ? null
            : ['Of its input, cached', percent(totals.cached_tokens / totals.input_tokens)],
          data.length < 2
            ? null
            : ['Served by', data.map(({ provider, calls }) => `${provider ?? 'not shown'} ${calls}`).join(', ')],
        ]}
      />
      <p className="text-table">
        <TextLink to="/logs" search={{ model: id, range: '30d' }}>
          See these calls
        </TextLink>
      </p>
    </div>
  );
}
