import type { Given } from '../../api/call.ts';
import { type Period, periodOf, timesOf } from '../../parts/period.tsx';
import { DIMENSIONS, type Dimension, MEASURES, type Measure } from '../../parts/usage.ts';
import type { Filters } from '../../shell/address.ts';

export type By = Dimension | 'day';
type Query = NonNullable<Given<'summarizeUsage'>['query']>;

/** What an address asks of the page: all of it stands there. */
export type Asked = {
  measure: Measure;
  by: By;
  isCompared: boolean;
  period: Period;
  /** What calls must have, by what it is of. */
  filters: Partial<Record<Dimension, string>>;
};

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as Dimension[];

export function askedOf(address: Filters): Asked {
  const { measure = '', by = '', compare } = address;
  const filters = DIMENSION_NAMES.flatMap((each) => (address[each] ? [[each, address[each]]] : []));
  return {
    measure: Object.hasOwn(MEASURES, measure) ? (measure as Measure) : 'spend',
    by: by === 'day' || Object.hasOwn(DIMENSIONS, by) ? (by as By) : 'model',
    isCompared: compare === 'yes',
    period: periodOf(address),
    filters: Object.fromEntries(filters),
  };
}

/** The same as `summarizeUsage` takes it. */
export function queryOf({ measure, period, filters }: Asked): Query {
  const { key, ...others } = filters;
  return {
    ...timesOf(period),
    ...(others as Query),
    ...(key !== undefined && { api_key_id: key }),
    order_by: MEASURES[measure].orderBy,
  };
}

/** What is of one thing alone is taken apart by another; `undefined` is the page's own choice. */
export function nextBy(by: By): By | undefined {
  return by === 'model' ? 'key' : undefined;
}

export function titleOf(by: By): string {
  return by === 'day' ? 'Day' : DIMENSIONS[by].title;
}
