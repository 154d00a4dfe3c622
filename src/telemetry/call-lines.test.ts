import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { EndedCall, Settlement } from '../core/records.ts';
import type { RefusedCall } from '../core/refused-calls.ts';
import { NO_USAGE } from '../core/usage.ts';
import { EndedCallLines, RefusedCallLines } from './call-lines.ts';
import type { LineOutput } from './line-writer.ts';

const SAID = 'what was said';

const createdAt = Date.UTC(2026, 10, 22, 12, 2, 58, 160);

const settlement: Settlement = {
  id: 'usage_1',
  organizationId: 'org_1',
  keyId: 'key_1',
  createdAt,
  status: 'succeeded',
  httpStatus: 200,
  errorKind: null,
  usage: { ...NO_USAGE, inputTokens: 12, outputTokens: 34 },
  usageSource: 'provider',
  lineItems: [],
  cost: 127_500n,
  counted: 127_500n,
  reported: null,
  settledAt: createdAt + 840,
  timeToFirstTokenMs: null,
  attempts: [],
  dropped: [],
  routed: null,
};

const call: EndedCall = {
  requestId: 'req_1',
  keyName: 'ci',
  model: 'gpt-4o-mini',
  provider: 'openai',
  upstreamModel: 'gpt-4o-mini',
  settlement,
};

const nobody = { opened: () => undefined, closed: () => undefined, refused: () => undefined };

const refusal: RefusedCall = {
  requestId: 'req_2',
  at: createdAt,
  clientRequestId: null,
  key: { id: 'key_1', name: 'ci', organizationId: 'org_1', source: 'api_key', product: null },
  sender: null,
  tool: null,
  model: 'gpt-99',
  httpStatus: 404,
  errorKind: 'model_not_found',
  message: SAID,
  param: 'model',
  latencyMs: 2,
};

/** An output that accepts everything at once. */
function plainOutput(): LineOutput & { lines(): string[] } {
  const pieces: string[] = [];
  return {
    pieceBytes: 4096,
    lines: () => pieces.join('').trimEnd().split('\n'),
    write(piece, done) {
      pieces.push(piece.toString());
      done();
    },
    writeNow: (rest) => void pieces.push(...rest.map(String)),
  };
}

beforeEach((t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  (t as { after(work: () => void): void }).after(() => mock.timers.reset());
});

type Told = Partial<Omit<EndedCall, 'settlement'>> & { settlement?: Partial<Settlement> };

function linesOf(reader: 'people' | 'log', calls: readonly Told[]): string[] {
  const output = plainOutput();
  const lines = new EndedCallLines(reader, output);
  lines.add(calls.map((told) => ({ ...call, ...told, settlement: { ...settlement, ...told.settlement } })));
  return output.lines();
}

test('on a terminal a call is a line: time, key, model, who answered, tokens, cost, duration, and what went wrong', () => {
  const routed = { model: 'acme/fast', provider: 'lab', upstreamModel: 'small-1' };
  const lines = linesOf('people', [
    {},
    { ...routed, settlement: { usageSource: 'estimated', cost: null } },
    { settlement: { status: 'failed', errorKind: 'upstream_timeout', usageSource: 'none' } },
    { keyName: null, settlement: { status: 'cancelled' } },
  ]).map((line) => line.replaceAll(/ {2,}/g, ' | '));
  assert.deepEqual(lines, [
    '12:02:59 | ci | gpt-4o-mini | openai | 12 in | 34 out | $0.0001275 | 0.84 s',
    '12:02:59 | ci | acme/fast | lab/small-1 | ~12 in | ~34 out | - | 0.84 s',
    '12:02:59 | ci | gpt-4o-mini | openai | 12 in | 34 out | $0.0001275 | 0.84 s | failed: upstream_timeout',
    '12:02:59 | - | gpt-4o-mini | openai | 12 in | 34 out | $0.0001275 | 0.84 s | cancelled',
  ]);
});

test('elsewhere it is an object of the log, with nothing of what was said', () => {
  const [line] = linesOf('log', [{}]);
  assert.deepEqual(JSON.parse(line ?? ''), {
    level: 30,
    time: settlement.settledAt,
    request_id: 'req_1',
    key: 'ci',
    key_id: 'key_1',
    model: 'gpt-4o-mini',
    provider: 'openai',
    upstream_model: 'gpt-4o-mini',
    status: 'succeeded',
    error: null,
    input_tokens: 12,
    output_tokens: 34,
    estimated: false,
    cost_usd: 0.0001275,
    duration_ms: 840,
    msg: 'A call is over.',
  });
  assert.ok(!line?.includes(SAID));
});

test('names that callers and keys bring steer no terminal, and are cut', () => {
  const [line = ''] = linesOf('people', [{ model: `\u001b[2J\n\u202e${'x'.repeat(100)}`, keyName: 'a\u0007b' }]);
  assert.match(line, /^12:02:59 {2}a\?b {11} {2}\?\[2J\?\?x{53}… {2}/);
});

test('an object is read as it was meant, whatever a name has in it and whatever is not known', () => {
  const names = ['a"b\\c', 'é漢', 'x'.repeat(61), '\ud800'];
  const lines = linesOf(
    'log',
    names.map((name) => ({
      model: name,
      keyName: name,
      settlement: { cost: null, status: 'failed', errorKind: 'upstream_timeout', usageSource: 'estimated' },
    })),
  ).map((line) => JSON.parse(line) as Record<string, unknown>);
  const shown = ['a"b\\c', 'é漢', `${'x'.repeat(59)}…`, '?'];
  assert.deepEqual(
    lines.map(({ key, model }) => [key, model]),
    shown.map((name) => [name, name]),
  );
  const { cost_usd, status, error, estimated } = lines[0]!;
  assert.deepEqual([cost_usd, status, error, estimated], [null, 'failed', 'upstream_timeout', true]);
});

test('more names than are kept are all told', () => {
  const lines = linesOf(
    'log',
    Array.from({ length: 1_100 }, (_, index) => ({ model: `model-${index}` })),
  );
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { model: string }).model),
    Array.from({ length: 1_100 }, (_, index) => `model-${index}`),
  );
});

test('a refused call is a line, too: who called, for what, and why not', () => {
  const output = plainOutput();
  const lines = new RefusedCallLines(nobody, 'people', output);
  lines.refused(refusal);
  lines.refused({ ...refusal, key: null, model: null, httpStatus: 401, errorKind: 'invalid_api_key' });
  mock.timers.tick(50);
  assert.deepEqual(
    output.lines().map((line) => line.replaceAll(/ {2,}/g, ' | ')),
    ['12:02:58 | ci | gpt-99 | refused: 404 model_not_found', '12:02:58 | - | - | refused: 401 invalid_api_key'],
  );
});

test('of refused calls 20 a second have a line, and the others are one number', () => {
  const output = plainOutput();
  const lines = new RefusedCallLines(nobody, 'log', output);
  const refuse = (count: number) => {
    for (let call = 0; call < count; call += 1) lines.refused(refusal);
  };
  refuse(25);
  mock.timers.tick(1_000);
  refuse(20);
  mock.timers.tick(2_000);
  refuse(21);
  lines.close();
  const told = output.lines().map((line) => JSON.parse(line) as { calls?: number; error?: string });
  assert.deepEqual(
    told.flatMap(({ calls }) => calls ?? []),
    [5, 1],
  );
  assert.equal(told.filter(({ error }) => error === 'model_not_found').length, 20 + 20 + 20);
});

test('at the end what waits is written, once', () => {
  for (const begin of [
    (output: LineOutput) => {
      let isBusy = true;
      const write: LineOutput['write'] = (piece, done) => {
        if (!isBusy) output.write(piece, done);
        isBusy = false;
      };
      const lines = new EndedCallLines('log', { ...output, write });
      lines.add([call]);
      lines.add([call]);
      return lines;
    },
    (output: LineOutput) => {
      const lines = new RefusedCallLines(nobody, 'log', output);
      lines.refused(refusal);
      return lines;
    },
  ]) {
    const output = plainOutput();
    const lines = begin(output);
    lines.close();
    lines.close();
    assert.equal(output.lines().length, 1);
    assert.notEqual(output.lines()[0], '');
  }
});
