import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { useRead } from '../../api/use.ts';
import { Chart } from '../../parts/chart.tsx';
import { Failure } from '../../parts/failure.tsx';
import { PeriodFields, periodOf, timesOf } from '../../parts/period.tsx';
import { MAX_SERIES } from '../../parts/series-colours.ts';
import { PageHead, SkeletonRows } from '../../parts/states.tsx';
import { CHART_ROWS, filterOf, MEASURES, type Summary, seriesOf } from '../../parts/usage.ts';
import { type Filters, useAddress } from '../../shell/address.ts';
import { Attention } from './attention.tsx';
import { useConcerns } from './concerns.ts';
import { DEAREST, DearestKeys } from './dearest-keys.tsx';
import { DoStep } from './do-step.tsx';
import { Figures } from './figures.tsx';
import { type Doing, FirstSteps, useSteps } from './first-steps.tsx';
import { ProviderStates } from './provider-states.tsx';

/** What the gateway comes to, what needs somebody, and how its vendors do. */
export function Overview() {
  const { may } = useSession();
  const [address, change] = useAddress();
  const { steps, hide } = useSteps();
  const seesUsage = may('api.usage.read');
  return (
    <>
      <PageHead title="Overview" actions={seesUsage && <PeriodFields address={address} change={change} />} />
      {steps === null ? (
        <SkeletonRows />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <FirstSteps steps={steps} onHide={hide} />
          {address.step && <DoStep step={address.step as Doing} onClose={() => change({ step: undefined })} />}
          {seesUsage ? <Used address={address} change={change} /> : <WithoutUsage />}
        </div>
      )}
    </>
  );
}

type UsedProps = { address: Filters; change: (changes: Filters) => void };

/** What stands below others is shown once they are there: nothing moves while somebody reads it. */
function Used({ address, change }: UsedProps) {
  const { may } = useSession();
  const times = timesOf(periodOf(address));
  const whole = useRead('summarizeUsage', { query: { ...times, by: 'day', limit: 1000 } });
  const byModel = useRead('summarizeUsage', {
    query: { ...times, by: 'model,day', top: MAX_SERIES, limit: CHART_ROWS },
  });
  const byKey = useRead('summarizeUsage', { query: { ...times, by: 'key', limit: DEAREST } });
  const concerns = useConcerns();
  const error = whole.error ?? byModel.error ?? byKey.error ?? concerns.error;
  const isKnown = whole.data && byModel.data && byKey.data && concerns.items;
  return (
    <>
      {(whole.data || !error) && <Figures summary={whole.data ?? null} address={address} />}
      {error && <Failure error={error} />}
      {concerns.items && <Attention concerns={concerns.items} more={concerns} />}
      {isKnown && whole.data.totals.calls > 0 && (
        <>
          <SpendChart summary={byModel.data} change={change} />
          <DearestKeys summary={byKey.data} />
        </>
      )}
      {!isKnown && !error && <div className="skeleton h-[320px]" aria-hidden="true" />}
      {(isKnown || error) && may('api.settings.read') && <ProviderStates />}
    </>
  );
}

/** For whoever sees no usage: what needs attention of what they do see, such as keys of their projects. */
function WithoutUsage() {
  const concerns = useConcerns();
  return (
    <>
      <p>Your role does not see what is used here.</p>
      {concerns.error && <Failure error={concerns.error} />}
      {concerns.items && <Attention concerns={concerns.items} more={concerns} />}
    </>
  );
}

function SpendChart({ summary, change }: { summary: Summary; change: UsedProps['change'] }) {
  const navigate = useNavigate();
  const [{ period, from, to }] = useAddress();
  const { days, series } = seriesOf(summary, 'model', 'spend');
  return (
    <section aria-labelledby="spend-by-day">
      <h2 id="spend-by-day" className="mb-1 text-[16px] font-semibold">
        Spend by day and model
      </h2>
      <Chart
        label="Spend by day and model"
        days={days}
        series={series}
        kind="bars"
        format={MEASURES.spend.format}
        onPick={(id) => {
          const search = { model: filterOf(id) ?? undefined, by: 'key', period, from, to };
          void navigate({ to: '/usage', search: search as never });
        }}
        canPick={(id) => filterOf(id) !== null}
        onZoom={(first, last) => change({ from: first, to: last, period: undefined })}
      />
    </section>
  );
}
