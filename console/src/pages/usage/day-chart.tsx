import { useRead } from '../../api/use.ts';
import { Chart } from '../../parts/chart.tsx';
import { Failure } from '../../parts/failure.tsx';
import { MAX_SERIES } from '../../parts/series-colours.ts';
import { CHART_ROWS, daysOf, filterOf, MEASURES, seriesOf } from '../../parts/usage.ts';
import type { Filters } from '../../shell/address.ts';
import { type Asked, nextBy, queryOf } from './asked.ts';

/** What came of each day: what comes to most apart, all others as one. */
export function DayChart({ asked, change }: { asked: Asked; change: (changes: Filters) => void }) {
  const { by, measure, isCompared } = asked;
  const split = by === 'day' ? { by: 'day', limit: 1000 } : { by: `${by},day`, top: MAX_SERIES, limit: CHART_ROWS };
  const { data, error } = useRead('summarizeUsage', { query: { ...queryOf(asked), ...split } });
  const whole = useRead(
    'summarizeUsage',
    { query: { ...queryOf(asked), by: 'day', limit: 1000 } },
    { enabled: isCompared || by === 'day' },
  );
  if (error) return <Failure error={error} />;
  // While another answer is on its way, the one before it stays.
  const answered = data?.by[0];
  if (data === undefined || answered === undefined) return <div className="skeleton h-[300px]" aria-hidden="true" />;
  const { title, format } = MEASURES[measure];
  const isShare = 'isShare' in MEASURES[measure];
  const days = whole.data?.by[0] === 'day' ? daysOf(whole.data, measure) : null;
  const { days: labels, series } =
    answered === 'day'
      ? {
          days: daysOf(data, measure).days,
          series: [{ id: '=', name: 'All', colour: '--series-1', values: daysOf(data, measure).now }],
        }
      : seriesOf(data, answered, measure);
  return (
    <Chart
      label={`${title} by day`}
      days={labels}
      series={series}
      kind={isShare ? 'lines' : 'bars'}
      format={format}
      {...(isCompared && days && days.days.length === labels.length && { previous: days.previous })}
      onPick={
        answered === 'day' ? undefined : (id) => change({ [answered]: filterOf(id) ?? undefined, by: nextBy(answered) })
      }
      canPick={(id) => filterOf(id) !== null}
      onZoom={(from, to) => change({ from, to, period: undefined })}
    />
  );
}
