import { counted, exact } from '../../parts/format.ts';
import { Notice } from '../../parts/states.tsx';
import { Money } from '../../parts/values.tsx';
import type { CallDetail } from './call-sheet.tsx';

const SOURCES = {
  provider: 'as the provider reported it',
  estimated: 'counted by the gateway, since the provider reported nothing',
  none: 'nothing was used',
} as const;

/** What was used, as it was reported, and what each of it cost. */
export function Billing({ call }: { call: CallDetail }) {
  const { line_items: items, unpriced, reported_usage: reported } = call;
  return (
    <div className="grid gap-3 text-table">
      <p className="text-weak">
        {counted(call.input_tokens, 'token')} in
        {call.cached_tokens > 0 && ` (${exact(call.cached_tokens)} of them from a cache)`}, {exact(call.output_tokens)}{' '}
        out
        {call.reasoning_tokens > 0 && ` (${exact(call.reasoning_tokens)} of them reasoning)`},{' '}
        {SOURCES[call.usage_source]}.
      </p>
      {reported !== null && (
        <Notice tone="warn">
          The provider reported {counted(reported.input_tokens, 'token')} in and {exact(reported.output_tokens)} out,
          which cannot be: the gateway’s own count is billed.
        </Notice>
      )}
      {items === null ? (
        <p className="text-weak">What each part cost is not shown to you.</p>
      ) : (
        items.length > 0 && <Lines items={items} call={call} />
      )}
      {unpriced.length > 0 && (
        <Notice tone="warn">
          The cost is not known: {unpriced.map(wordsOf).join(', ')} {unpriced.length === 1 ? 'has' : 'have'} no price in
          the catalog.
        </Notice>
      )}
      <Others call={call} />
    </div>
  );
}

function Lines({ items, call }: { items: NonNullable<CallDetail['line_items']>; call: CallDetail }) {
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr className="border-b border-line text-left text-small text-faint">
          <th scope="col" className="py-1 font-medium">
            Billed
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Quantity
          </th>
          <th scope="col" className="py-1 text-right font-medium">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ component, quantity, amount_usd }) => (
          <tr key={component} className="border-b border-line">
            <td className="py-1">{wordsOf(component)}</td>
            <td className="py-1 text-right tabular-nums">{exact(quantity)}</td>
            <td className="py-1 text-right">
              <Money usd={amount_usd} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot className="font-medium">
        <tr>
          <td className="py-1" colSpan={2}>
            Charged
          </td>
          <td className="py-1 text-right">
            <Money usd={call.cost_usd} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** What is worth saying only where it differs from what was charged. */
function Others({ call }: { call: CallDetail }) {
  const { cost_usd: cost, vendor_cost_usd: vendors, counted_usd: counted } = call;
  const notes = [
    vendors !== undefined && vendors !== cost && (
      <span key="vendors">
        The vendors charged <Money usd={vendors} />.
      </span>
    ),
    counted !== cost && (
      <span key="counted">
        <Money usd={counted} /> of limits and budgets was taken.
      </span>
    ),
    call.service_tier !== null && <span key="tier">Service tier: {call.service_tier}.</span>,
    call.region !== null && <span key="region">Served from {call.region}.</span>,
    call.price_inferred_from !== null && (
      <span key="inferred">Billed by the price of {call.price_inferred_from}, of which this is a dated name.</span>
    ),
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-0.5 text-weak">
      {notes.map((note) => (
        <li key={note.key}>{note}</li>
      ))}
    </ul>
  );
}

/** `cache_write_1h` as people say it: "cache write 1h". */
function wordsOf(component: string): string {
  return component.replace(/^tool:/, 'calls of ').replaceAll('_', ' ');
}
