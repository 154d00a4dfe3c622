import type { FilledCompany } from './fill-company.ts';

const DAY_S = 86_400;
/** The number of days with calls in a filled store. */
const DAYS = 30;
/** A key that has called. */
export const CALLING_KEY = `key_${'7'.padStart(26, '0')}`;

/** The measured paths of usage: lists by page and filter, then sums by filter and grouping. `now` is Unix ms. */
export function usagePaths({ projectId }: FilledCompany, now: number): string[] {
  const end = Math.floor(now / 1000);
  const start = end - DAYS * DAY_S;
  const lists = [
    '',
    'model=model-3',
    'model=none',
    'source=product',
    'product=product-2',
    'tool=codex',
    `api_key_id=${CALLING_KEY}`,
    'status=failed',
    'status=interrupted',
    'model=model-3&status=failed',
    `api_key_id=${CALLING_KEY}&model=none`,
    `end_time=${start + DAY_S}`,
    `start_time=${start}&end_time=${start + DAY_S}&status=interrupted`,
    `start_time=${start - DAY_S}&end_time=${start - 3_600}`,
  ];
  const period = `start_time=${start}`;
  const sums = [
    '',
    'model=model-3',
    `api_key_id=${CALLING_KEY}`,
    'source=product',
    'tool=codex',
    ...['key', 'model', 'product', 'tool', 'source', 'route', 'provider', 'day'].map((each) => `by=${each}`),
    'by=day,model',
    'by=day,key&top=10',
    'by=key,model&top=10',
    'by=key,model,source,provider',
  ];
  const buckets = [
    '',
    ...['project_id', 'user_id', 'api_key_id', 'model'].map((each) => `&group_by[]=${each}`),
    '&group_by[]=api_key_id&group_by[]=model',
    `&project_ids[]=${projectId}&group_by[]=model`,
    `&api_key_ids[]=${CALLING_KEY}`,
    '&bucket_width=1h&limit=168',
    '&bucket_width=1m&limit=1440',
  ];
  const costs = ['', ...['project_id', 'api_key_id', 'line_item'].map((each) => `&group_by[]=${each}`)];
  return [
    ...lists.map((query) => `/v1/usage?limit=100&${query}`),
    ...sums.map((query) => `/v1/usage/summary?${period}&${query}`),
    `/v1/usage/first_tokens?${period}`,
    ...buckets.map((query) => `/v1/organization/usage/completions?${period}${query}`),
    ...costs.map((query) => `/v1/organization/costs?${period}${query}`),
    '/v1/organization/spend_limits?limit=100',
    '/v1/organization/limit_use?limit=100',
  ];
}
