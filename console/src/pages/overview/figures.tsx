import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/call.ts';
import { useRead } from '../../api/use.ts';
import { Change, Figure } from '../../parts/figure.tsx';
import { duration, percent } from '../../parts/format.ts';
import { periodOf, timesOf } from '../../parts/period.tsx';
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
      <FirstToken address={address} isTime={summary !== null} />
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

/** How long callers waited for the first token of a stream. It is asked for once what all is measured by is there. */
function FirstToken({ address, isTime }: { address: Filters; isTime: boolean }) {
  const { data, error } = useRead(
    'retrieveFirstTokenTimes',
    { query: timesOf(periodOf(address)) },
    { enabled: isTime },
  );
  const totals = data?.totals;
  const days = (data?.data ?? []).flatMap(({ p50_ms: p50 }) => (p50 === null ? [] : [p50])).reverse();
  return (
    <div className="grid gap-1 px-3 py-2.5">
      <Figure
        title="First token, p50"
        value={totals ? duration(totals.p50_ms) : error ? '—' : '…'}
        below={totals ? <FirstTokenChange {...totals} /> : error ? <Unread error={error} /> : '…'}
      />
      <span className="h-6">
        <Spark values={days} />
      </span>
    </div>
  );
}

/** There is no room for all that is said of an error. */
function Unread({ error: { message } }: { error: Error }) {
  return (
    <span role="alert" title={message}>
      Could not be read
    </span>
  );
}

function FirstTokenChange({ p50_ms: p50, p95_ms: p95, previous }: Answer<'retrieveFirstTokenTimes'>['totals']) {
  if (p50 === null) return 'No streams yet';
  return (
    <>
      <Change now={p50} before={previous.p50_ms ?? 0} />
      <span className="whitespace-nowrap">
        {' '}
        · p95 {duration(p95)}
        {previous.p95_ms !== null && (
          <>
            , <Change now={p95} before={previous.p95_ms} />
          </>
        )}
      </span>
    </>
  );
}
