import { useRead } from '../../api/use.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { FilterSelect } from '../../parts/field.tsx';
import { Change, Figure } from '../../parts/figure.tsx';
import { PeriodFields } from '../../parts/period.tsx';
import { Empty, Notice, PageHead } from '../../parts/states.tsx';
import { MEASURES, type Measure, type Summary } from '../../parts/usage.ts';
import { type Filters, useAddress } from '../../shell/address.ts';
import { hasPage } from '../../shell/page.ts';
import { type Asked, askedOf, DIMENSION_NAMES, queryOf, titleOf } from './asked.ts';
import { Breakdown } from './breakdown.tsx';
import { CacheSavings } from './cache-savings.tsx';
import { DayChart } from './day-chart.tsx';
import { FilterFields } from './filters.tsx';
import { Views } from './views.tsx';

const MAX_ROWS = 500;
const BYS = [...DIMENSION_NAMES, 'day' as const];

/** What was used and what it cost: by anything, of anything, beside the period before. */
export function Usage() {
  const [address, change] = useAddress();
  const asked = askedOf(address);
  const read = useRead('summarizeUsage', { query: { ...queryOf(asked), by: asked.by, limit: MAX_ROWS } });
  const summary = read.data ?? null;
  const isNothing = summary !== null && summary.totals.calls === 0 && summary.totals.previous.calls === 0;
  return (
    <>
      <PageHead
        title="Usage"
        actions={<Button onClick={() => change({ views: 'yes' }, { replace: false })}>Saved views</Button>}
      >
        Whole days in UTC.
      </PageHead>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <PeriodFields address={address} change={change} />
        <FilterSelect
          label="Taken apart by"
          value={asked.by === 'model' ? '' : asked.by}
          choices={BYS.map((each) => ({
            value: each === 'model' ? '' : each,
            label: `By ${titleOf(each).toLowerCase().replace('api', 'API')}`,
          }))}
          onChange={(by) => change({ by: by || undefined })}
        />
        <FilterFields asked={asked} change={change} />
        <Button
          kind="quiet"
          aria-pressed={asked.isCompared}
          icon={asked.isCompared ? 'check' : 'plus'}
          onClick={() => change({ compare: asked.isCompared ? undefined : 'yes' })}
        >
          Compare with the period before
        </Button>
      </div>
      {read.error && <Failure error={read.error} />}
      {isNothing && !read.error ? (
        <NothingUsed asked={asked} change={change} />
      ) : (
        <Found
          {...{ asked, summary, address, change }}
          hasFailed={read.error !== null}
          isOfAnother={read.isPlaceholderData}
        />
      )}
      {address.views === 'yes' && <Views address={address} onClose={() => change({ views: undefined })} />}
    </>
  );
}

type FoundProps = {
  asked: Asked;
  summary: Summary | null;
  address: Filters;
  change: (changes: Filters) => void;
  hasFailed: boolean;
  /** The summary is of what was asked before: that of now is on its way. */
  isOfAnother: boolean;
};

function Found({ asked, summary, address, change, hasFailed, isOfAnother }: FoundProps) {
  if (hasFailed && summary === null) return null;
  // Of a part of nothing there is no line.
  const isDrawn = asked.measure !== 'cached' || summary === null || summary.totals.cached_tokens > 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Measures asked={asked} summary={summary} change={change} />
      {summary && summary.totals.calls_without_cost > 0 && asked.measure === 'spend' && (
        <Notice tone="warn">
          {summary.totals.calls_without_cost.toLocaleString('en-US')} of these calls have no known price: they are in no
          amount.
        </Notice>
      )}
      {asked.measure === 'cached' && <CacheSavings asked={asked} />}
      {isDrawn && <DayChart asked={asked} change={change} />}
      <Breakdown {...{ asked, summary, address, isOfAnother }} />
    </div>
  );
}

/** The totals; a press on one makes it what the chart shows and the table is sorted by. */
function Measures({ asked, summary, change }: Pick<FoundProps, 'asked' | 'summary' | 'change'>) {
  return (
    <fieldset className="grid grid-cols-2 border-y border-line sm:grid-cols-3 lg:grid-cols-5">
      <legend className="sr-only">Measure</legend>
      {(Object.keys(MEASURES) as Measure[]).map((each) => {
        const { title, of, format } = MEASURES[each];
        const totals = summary?.totals;
        const isShare = 'isShare' in MEASURES[each];
        return (
          <button
            key={each}
            type="button"
            aria-pressed={each === asked.measure}
            onClick={() => change({ measure: each === 'spend' ? undefined : each })}
            className="border-b-2 border-transparent px-3 py-2.5 hover:bg-sunken aria-pressed:border-accent"
          >
            <Figure
              title={title}
              value={totals ? format(of(totals)) : '…'}
              below={totals ? <Change now={of(totals)} before={of(totals.previous)} isShare={isShare} /> : '…'}
            />
          </button>
        );
      })}
    </fieldset>
  );
}

function NothingUsed({ asked, change }: Pick<FoundProps, 'asked' | 'change'>) {
  const set = DIMENSION_NAMES.filter((each) => asked.filters[each] !== undefined);
  const clear = () => change(Object.fromEntries(set.map((each) => [each, undefined])));
  if (set.length > 0) {
    return (
      <Empty
        title="No calls fit these filters"
        icon="usage"
        action={<Button onClick={clear}>Remove all filters</Button>}
      >
        There are none in this period, nor in the one before it.
      </Empty>
    );
  }
  return (
    <Empty
      title="No calls in this period"
      icon="usage"
      action={hasPage('/connect') && <ButtonLink to="/connect">Send a call</ButtonLink>}
    >
      Here stands what was used and what it cost, by model, key and day, as soon as something calls.
    </Empty>
  );
}
