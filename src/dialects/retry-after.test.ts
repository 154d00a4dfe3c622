import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRetryAfter } from './retry-after.ts';
import { readInnerError, readVendorError } from './vendor-errors.ts';

test('a wait is read out of a vendor’s words where it has no room', () => {
  const waits: readonly [string, number | undefined][] = [
    ['Rate limit reached for m on tokens per min. Please try again in 6.2s. Visit https://example.com.', 6200],
    ['Please try again in 250ms.', 250],
    ['Please try again in 1m30.5s.', 90_500],
    ['Please try again in 1h2m3s', 3_723_000],
    ['Requests exceeded the limit. Please retry after 20 seconds.', 20_000],
    ['Quota exceeded. Please retry in 17.4s.', 17_400],
    ['Wait 5 minutes', 300_000],
    ['Please wait for 3 seconds before retrying', 3000],
    ['Try again in 1 minute and 30 seconds', 90_000],
    ['Try your request again in 6 seconds', 6000],
    ['Please try again later in 8 seconds', 8000],
    ['Please retry your requests after 7 seconds', 7000],
    ['You can retry after 5 second(s).', 5000],
    ['Limit resets in: 9s', 9000],
    ['Try again in ~4s', 4000],
    ['Try again in approximately 2 hours, 3 min', 7_380_000],
    ['请求过多，请在 6 秒后重试', 6000],
    ['请 1 分钟后再试', 60_000],
    ['The counter was reset 3 days ago', undefined],
    ['Try again in -3s', undefined],
    ['try again in 6,2s', undefined],
    ['Try again in 3 models', undefined],
    ['Try again in a moment', undefined],
    ['Limit 6s', undefined],
  ];
  for (const [message, ms] of waits) {
    assert.equal(readVendorError(429, {}, JSON.stringify({ error: { message } })).retryAfterMs, ms, message);
    assert.equal(readInnerError({ error: { message, code: 'rate_limit_exceeded' } }).retryAfterMs, ms, message);
    assert.equal(readVendorError(400, {}, JSON.stringify({ error: { message } })).retryAfterMs, undefined);
  }
  assert.equal(readRetryAfter({ 'retry-after': '9' }, 429, 'try again in 2s'), 9000, 'the header goes first');
});

test('a wait is read out of the headers of the limit that is used up', () => {
  const date = 'Fri, 27 Nov 2026 05:00:00 GMT';
  const waits: readonly [Record<string, string>, number | undefined][] = [
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1m2s' }, 62_000],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '120ms' }, 120],
    [{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6m0s' }, undefined],
    [
      {
        date,
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-27T05:00:30Z',
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-11-27T05:00:10Z',
      },
      30_000,
    ],
    [{ date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse(date) + 4000) }, 4000],
    [{ date, 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Date.parse(date) / 1000 + 8) }, 8000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '12' }, 12_000],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9000],
    [{ 'x-ratelimit-remaining-tokens-minute': '0', 'x-ratelimit-reset-tokens-minute': '7' }, 7000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, undefined],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1e300', date }, undefined],
  ];
  for (const [headers, ms] of waits) assert.equal(readRetryAfter(headers, 429), ms, JSON.stringify(headers));
  assert.equal(readRetryAfter(waits[0]![0], 500), undefined, 'a limit that is used up is no reason of this error');
});
