import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageDetail, UsageRecord } from '../../core/records.ts';
import { attempt, decision, intent, settlement } from '../../store/fixtures.test.ts';
import { usageDetailJson } from '../../surfaces/usage-json.ts';
import type { ShownDetail } from './answers.ts';
import { usageText as textOf } from './show.ts';

/** The text of a call as the HTTP API gives it to commands. */
const usageText = (detail: UsageDetail) =>
  textOf({ ...usageDetailJson(detail, true), organization_id: detail.record.organizationId } as ShownDetail);

const opened = intent(1, { source: 'developer_tool', tool: { name: 'codex', version: '0.169.0' } });
const record: UsageRecord = {
  ...opened,
  ...settlement(opened),
  requestedModel: 'quick',
  model: 'acme/fast',
  provider: 'spare',
  upstreamModel: 'spare-large',
  vendorCost: null,
  latencyMs: 900,
  timeToFirstTokenMs: 300,
  attempts: 2,
  dropped: ['stop'],
};
const failed = attempt(opened, {
  status: 'failed',
  httpStatus: 504,
  errorKind: 'upstream_timeout',
  possiblyBilled: true,
});
const served = attempt(opened, { provider: 'spare', upstreamModel: 'spare-large', credential: 'second' });

test('a routed call is told in words: what it was, what was tried, and why', () => {
  const left = decision().candidates[0]!;
  const fallback = { ...left, model: 'far', provider: 'far', upstreamModel: 'far', leftOut: null };
  const decided = decision({
    candidates: [...decision().candidates, fallback, { ...left, provider: 'closed' }],
    order: [1, 2],
    explored: true,
    propensity: 0.05,
    modelVersion: 'model_1',
  });
  const text = usageText({
    record,
    lineItems: [],
    keyName: null,
    isRoutePrice: false,
    priceInferredFrom: null,
    unpriced: [],
    attempts: [failed, served],
    decision: decided,
  });
  assert.equal(
    text,
    `Record        usage_00000001
Request       req_1
Time          2026-11-21 12:00:00 UTC
Organization  org_1
Key           key_1 (developer_tool codex 0.169.0)
Model         acme/fast, requested as quick
Served by     spare-large of spare
Status        succeeded, 200
Tokens        1200 in, 100 out (provider)
Charged       $0.00024; by the vendors: not known
Took          900 ms, the first token after 300 ms
Left out      stop

Attempts
#  PROVIDER  MODEL        CREDENTIAL    TOOK  HTTP  STATUS
1  lab       lab-small    default     900 ms   504  failed: upstream_timeout, possibly billed
2  spare     spare-large  second      900 ms   200  succeeded

Decision of the route acme/fast, version 0123456789abcdef, by the model model_1
The targets stand in the order of the route.
The target was drawn with probability 0.05.

CANDIDATE          PROVIDER  CREDENTIAL  ROLE      EXPECTED  CHANCE  CIRCUIT  WHAT BECAME OF IT
small              lab       default     target    $0.00021       -  open     tried: failed: upstream_timeout, possibly billed
spare/spare-large  spare     second      fallback         -    0.75  closed   tried: succeeded
far                far       default     target    $0.00021       -  open     number 2 in the order, not needed
small              closed    default     target    $0.00021       -  open     skipped (circuit open): It failed five times in a row.`,
  );
});

test('what counted against limits is told where it is not the cost, and what was not believed', () => {
  const reported = { ...record.usage, inputTokens: 1e12 };
  const odd = { ...record, cost: null, counted: 1_500_000n, reported };
  const text = usageText({
    record: odd,
    lineItems: [],
    keyName: null,
    isRoutePrice: false,
    priceInferredFrom: null,
    unpriced: [],
    attempts: [],
    decision: null,
  });
  assert.match(text, /\nCharged +not known; by the vendors: not known; counted against limits: \$0\.0015\n/);
  assert.match(text, /\nReported +1000000000000 in, 100 out, which is not credible\n/);
});

test('a call that named its model says that no route decided, and one that was never sent has no attempts', () => {
  const text = usageText({
    record: { ...record, dropped: [] },
    lineItems: [],
    keyName: null,
    isRoutePrice: false,
    priceInferredFrom: null,
    unpriced: [],
    attempts: [],
    decision: null,
  });
  assert.match(text, /\n\nAttempts\nNone\.\n\nIt named its model, so no route decided\.$/);
  assert.doesNotMatch(text, /Left out/);
});
