import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHeaders } from './headers.ts';

const read = (headers: Record<string, string>) => readHeaders(new Headers(headers));

test('figures are numbers, spans are seconds, and names are plain text', () => {
  const info = read({
    'x-request-id': 'req_1',
    'service-version': 'v1',
    'service-processing-ms': '12',
    'service-organization': 'org_1',
    'service-model': 'm/%C3%A9 100%',
    'service-provider': 'lab',
    'service-route': 'acme/fast',
    'service-attempts': '2',
    'service-dropped': 'stop, tools.%C3%A9, cut%C3',
    'service-cost-usd': '0.0001275',
    'x-ratelimit-limit-requests': '600',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-requests': '599',
    'x-ratelimit-remaining-tokens': '0',
    'x-ratelimit-reset-requests': '20ms',
    'x-ratelimit-reset-tokens': '1h6m1.182s',
  });
  assert.deepEqual(info, {
    requestId: 'req_1',
    organization: 'org_1',
    version: 'v1',
    processingMs: 12,
    rateLimit: {
      limitRequests: 600,
      remainingRequests: 599,
      resetRequestsSeconds: 0.02,
      limitTokens: 2_000_000,
      remainingTokens: 0,
      resetTokensSeconds: 3961.182,
    },
    model: 'm/é 100%',
    provider: 'lab',
    route: 'acme/fast',
    attempts: 2,
    dropped: ['stop', 'tools.é', 'cut%C3'],
    costUsd: 0.0001275,
  });
});

test('what is not said is null, and nothing was dropped', () => {
  const { rateLimit, dropped, ...rest } = read({});
  assert.deepEqual([...new Set([...Object.values(rest), ...Object.values(rateLimit)])], [null]);
  assert.deepEqual(dropped, []);
});

test('the word before the names of headers is the operator’s own', () => {
  const { provider, processingMs } = read({ 'acme-ai-provider': 'lab', 'acme-ai-processing-ms': '3' });
  assert.deepEqual([provider, processingMs], ['lab', 3]);
});

test('what is no span or no number is null', () => {
  const odd = read({ 'service-processing-ms': 'soon', 'x-ratelimit-reset-requests': '5 minutes' });
  assert.deepEqual([odd.processingMs, odd.rateLimit.resetRequestsSeconds], [null, null]);
});
