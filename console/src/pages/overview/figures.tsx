import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useRead } from '../../api/use.ts';
import { Change, Figure } from '../../parts/figure.tsx';
import { duration, percent } from '../../parts/format.ts';
import { Spark } from '../../parts/spark.tsx';
import { daysOf, errorRate, MEASURES, type Measure, type Summary, type Sums } from '../../parts/usage.ts';
import type { Filters } from '../../shell/address.ts';

const SHOWN: readonly Measure[] = ['spend', 'calls', 'tokens'];

/** The numbers of the period, each beside the period before; each leads to where it is taken apart. */
export function Figures({ summary, address }: { summary: Summary | null; address: Filters }) {
  const totals = summary?.totals;
  const change = (of: (sums: Sums) => number | null, isShare?: true) =>
    totals ? <Change now={of(totals)} before={of(totals.previous)} isShare={isShare} /> : '…';
  return (
    <section aria-label="In numbers" className="grid grid-cols-2 border-y border-line sm:grid-cols-3 lg:grid-cols-5">
      {SHOWN.map((each) => {
        const { title, of, format } = MEASURES[each];
        return (
          <FigureLink key={each} measure={each} address={address} values={summary && daysOf(summary, each).now}>
            <Figure title={title} value={totals ? format(of(totals)) : '…'} below={change(of)} />
          </FigureLink>
        );
      })}
      <FigureLink measure="errors" address={address} values={summary && errorRates(summary)}>
        <Figure title="Error rate" value={totals ? percent(errorRate(totals)) : '…'} below={change(errorRate, true)} />
      </FigureLink>
      <FirstToken />
    </section>
  );
}

/** The error rate of each day. */
function errorRates(summary: Summary): number[] {
  const calls = daysOf(summary, 'calls').now;
  return daysOf(summary, 'errors').now.map((failed, index) => (failed === 0 ? 0 : failed / calls[index]!));
}

type LinkProps = { measure: Measure; address: Filters; values: readonly number[] | null; children: ReactNode };

function FigureLink({ measure, address: { period, from, to }, values, children }: LinkProps) {
  const search = { measure: measure === 'spend' ? undefined : measure, period, from, to };
  return (
    <Link to="/usage" search={search as never} className="grid gap-1 px-3 py-2.5 hover:bg-sunken">
      {children}
      <span className="h-6">{values && <Spark values={values} />}</span>
    </Link>
  );
}

/** How long callers wait for the first token of a stream: of the last 200 of each model that was called. */
function FirstToken() {
  const { may } = useSession();
  const { data } = useRead('getStatus', {}, { enabled: may('api.settings.read'), every: 30_000 });
  if (!may('api.settings.read')) return null;
  const { p50, p95, count } = data ? firstTokenOf(data) : { p50: null, p95: null, count: 0 };
  const about = count === 0 ? 'No streams yet' : `p95 ${duration(p95)}${count > 1 ? ', of the slowest model' : ''}`;
  return (
    <div className="px-3 py-2.5">
      <Figure
        title={count > 1 ? 'First token, p50 of the middle model' : 'First token, p50'}
        value={duration(p50)}
        below={data ? about : '…'}
      />
    </div>
  );
}

function firstTokenOf({ targets }: Answer<'getStatus'>) {
  const known = targets.flatMap(({ p50_ms, p95_ms }) =>
    p50_ms === null ? [] : [{ p50: p50_ms, p95: p95_ms ?? p50_ms }],
  );
  const halves = known.map(({ p50 }) => p50).sort((one, other) => one - other);
  const p50 = halves[Math.floor((halves.length - 1) / 2)] ?? null;
  return { p50, p95: known.length === 0 ? null : Math.max(...known.map(({ p95 }) => p95)), count: known.length };
}
