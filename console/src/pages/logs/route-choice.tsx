import { Section } from '../../parts/facts.tsx';
import { money, percent } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import type { CallDetail } from './call-sheet.tsx';

type Candidate = NonNullable<CallDetail['decision']>['candidates'][number];

/** Why the call went where it went. */
export function RouteChoice({ call: { route, decision } }: { call: CallDetail }) {
  if (route === null) return null;
  return (
    <Section title={`Why ${route} chose so`}>
      {decision === null ? (
        <p className="text-table text-weak">How the route decided is not shown to you.</p>
      ) : (
        <div className="grid gap-3 text-table">
          <ul className="grid list-disc gap-0.5 pl-4">
            {decision.because.map((reason) => (
              <li key={reason} className="[overflow-wrap:anywhere]">
                {reason}
              </li>
            ))}
          </ul>
          <ul className="grid gap-1.5">
            {inOrder(decision).map(({ candidate, place }) => (
              <CandidateLine
                key={`${candidate.model} ${candidate.credential ?? ''} ${candidate.role}`}
                candidate={candidate}
                place={place}
              />
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}

/** Those that were to be tried, in their order; behind them those that were left out. */
function inOrder({ candidates, order }: NonNullable<CallDetail['decision']>) {
  const placed = candidates.map((candidate, index) => ({ candidate, place: order.indexOf(index) }));
  const rank = (place: number) => (place < 0 ? candidates.length : place);
  return placed.sort((one, other) => rank(one.place) - rank(other.place));
}

/** @param place - in the order in which they were to be tried; -1: it was not to be */
function CandidateLine({ candidate, place }: { candidate: Candidate; place: number }) {
  const { provider, upstream_model: model, expected_cost_usd: cost, chance, left_out: leftOut } = candidate;
  return (
    <li className="flex flex-wrap items-baseline gap-x-2">
      <span className="w-5 text-right tabular-nums text-faint">{place < 0 ? '–' : `${place + 1}.`}</span>
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">
        {provider} · {model}
      </span>
      {candidate.role !== 'target' && <Badge>{candidate.role.replaceAll('_', ' ')}</Badge>}
      {cost !== null && <span className="text-weak">expected {money(cost)}</span>}
      {chance !== null && <span className="text-weak">chance of a good answer {percent(chance)}</span>}
      {leftOut !== null && <span className="basis-full pl-7 text-weak">Left out: {leftOut.detail}</span>}
    </li>
  );
}
