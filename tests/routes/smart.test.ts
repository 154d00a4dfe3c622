import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type LabelledPrompt, labelledPrompts } from '../../src/testing/labelled-prompts.ts';
import { seeded } from '../../src/testing/seeded.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider({ models: ['weak', 'strong'] });
const headgate = await startHeadgate({
  config: `
providers:
  lab:
    base_url: ${vendor.url}
    only:
      - { id: weak, price: { input_per_1m: 0.1, output_per_1m: 0.2 } }
      - { id: strong, price: { input_per_1m: 5, output_per_1m: 10 } }
      - { id: spare, price: { input_per_1m: 1, output_per_1m: 2 } }
routes:
  acme/auto: { strategy: [smart], quality: 0.8, explore: 0, targets: [weak, strong] }
  acme/share: { strategy: [smart], strong_share: 0.7, explore: 0, targets: [weak, strong], fallbacks: [spare] }
  acme/plain: { strategy: [cheapest], targets: [weak, strong] }
routing: { learn_every: 1s, learn_after: 40 }
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
`,
});
const folder = await mkdtemp(join(tmpdir(), 'headgate-smart-'));
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
  await rm(folder, { recursive: true, force: true });
});

/** Of which only the strong target answers well, and of which both do. */
const HARD = 'theorem lemma matrix eigenvalue topology manifold tensor kernel please (0)';
const EASY = 'garden holiday recipe music travel birthday weather film please (0)';

type Answer = { status: number; model: string | null; requestId: string; json: Record<string, unknown> };

async function post(path: string, body: unknown, key = headgate.key): Promise<Answer> {
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    model: response.headers.get('service-model'),
    requestId: response.headers.get('x-request-id') ?? '',
    json: (await response.json()) as Record<string, unknown>,
  };
}

function ask(prompt: string, model = 'acme/auto'): Promise<Answer> {
  return post('/v1/chat/completions', { model, messages: [{ role: 'user', content: prompt }] });
}

async function decisionOf({ requestId }: Answer): Promise<Record<string, unknown>> {
  const response = await fetch(`${headgate.url}/v1/usage/${requestId}`, {
    headers: { authorization: `Bearer ${headgate.key}` },
  });
  return ((await response.json()) as { decision: Record<string, unknown> }).decision;
}

/** Asks until the condition holds of the answer's decision: what is in force changes within a second. */
async function until(holds: (decision: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  const deadline = performance.now() + WAIT_MS;
  let decision: Record<string, unknown> = {};
  while (performance.now() < deadline) {
    decision = await decisionOf(await ask(HARD));
    if (holds(decision)) return decision;
    await nextPoll();
  }
  throw new Error(`It never came to that: ${JSON.stringify(decision)}`);
}

function lines(rows: readonly LabelledPrompt[]): string {
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

test('before any label a smart route goes by rules, and says so', async () => {
  const decision = await decisionOf(await ask(HARD));
  assert.equal(decision.model_version, 'rules');
  const chances = (decision.candidates as { chance: number | null }[]).map(({ chance }) => chance);
  assert.ok(chances.every((chance) => chance !== null && chance > 0 && chance < 1));
});

test('a file of rows teaches it: the evaluation is shown, and what is not worse is live at once', async () => {
  const file = join(folder, 'rows.jsonl');
  await writeFile(file, lines(labelledPrompts(1500, seeded(7))));
  const { code, stdout, stderr } = await headgate.command('routes', 'train', 'acme/auto', file);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /1500 rows were read\./);
  assert.match(stdout, /APGR\) is 0\.[6-9]/);
  assert.match(stdout, /acme\/auto@1 is stored and live\./);

  await until(({ model_version }) => model_version === 'acme/auto@1');
  assert.equal((await ask(HARD)).model, 'strong');
  assert.equal((await ask(EASY)).model, 'weak');
});

test('the wanted share goes to the stronger target, though a fallback was scored better', async () => {
  const rows = labelledPrompts(1000, seeded(8)).map((row, index) =>
    index < 20 ? { ...row, scores: { ...row.scores, spare: 1 } } : row,
  );
  const file = join(folder, 'share.jsonl');
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'));
  const { code, stderr } = await headgate.command('routes', 'train', 'acme/share', file);
  assert.equal(code, 0, stderr);
  const explain = async (content: string) => {
    const { json } = await post('/v1/routes/acme/share/explain', { messages: [{ role: 'user', content }] });
    return json as { model_version: string; order: { model: string }[] };
  };
  const deadline = performance.now() + WAIT_MS;
  while ((await explain(HARD)).model_version !== 'acme/share@1') assert.ok(performance.now() < deadline, 'it is live');
  let strong = 0;
  for (const { prompt } of labelledPrompts(100, seeded(9))) {
    if ((await explain(prompt)).order[0]?.model === 'strong') strong += 1;
  }
  assert.ok(strong >= 55 && strong <= 85, `${strong} of 100`);
});

test('explain shows which words decided, and a draft with another dial can be replayed', async () => {
  const explain = async (id: string, content: string) => {
    const { status, json } = await post(`/v1/routes/${id}/explain`, { messages: [{ role: 'user', content }] });
    assert.equal(status, 200);
    return json as { model_version: string; order: { model: string }[]; features?: Told[] };
  };
  type Told = { target: string; features: { name: string; weight: number }[] };
  const { model_version, order, features = [] } = await explain('acme/auto', HARD);
  assert.deepEqual([model_version, order[0]?.model], ['acme/auto@1', 'strong']);
  const weak = features.find(({ target }) => target === 'weak')?.features ?? [];
  assert.equal(weak.length, 10);
  assert.ok(
    weak.some(({ name, weight }) => weight < 0 && /“(theorem|matrix|tensor|topology)/.test(name)),
    JSON.stringify(weak),
  );
  assert.equal((await explain('acme/plain', HARD)).features, undefined);

  const file = join(folder, 'draft.yaml');
  await writeFile(file, '{ strategy: [smart], quality: 0, explore: 0, targets: [weak, strong] }');
  const { stdout, stderr, json } = await headgate.command('routes', 'replay', 'acme/auto', '--draft', file, '--json');
  assert.equal(stderr, '', stdout);
  const { calls, moved, expected_quality } = json as {
    calls: number;
    moved: number;
    expected_quality: { before: number; after: number };
  };
  assert.ok(calls > 1 && moved >= 1, stdout);
  assert.ok(expected_quality.after < expected_quality.before, stdout);
});

test('a version that is only to be kept is not live', async () => {
  const file = join(folder, 'wrong.jsonl');
  const wrong = labelledPrompts(1500, seeded(8)).map(({ prompt, scores }) => ({
    prompt,
    scores: { strong: 1 - scores.strong, weak: 1 - scores.weak },
  }));
  await writeFile(file, lines(wrong));
  const kept = await headgate.command('routes', 'train', 'acme/auto', file, '--keep-only', '--json');
  assert.equal((kept.json as { live: boolean }).live, false);
  const { json } = await headgate.command('routes', 'versions', 'acme/auto', '--learned', '--json');
  const { data, live } = json as { data: { id: string; live: boolean }[]; live: string };
  assert.deepEqual(
    data.map((version) => [version.id, version.live]),
    [
      ['acme/auto@2', false],
      ['acme/auto@1', true],
    ],
  );
  assert.equal(live, 'acme/auto@1');
});

test('a version can be rolled back to, to rules too', async () => {
  const forced = await headgate.command('routes', 'rollback', 'acme/auto', 'acme/auto@2', '--learned');
  assert.equal(forced.stdout.trim(), 'acme/auto@2 is now live.');
  await until(({ model_version }) => model_version === 'acme/auto@2');
  assert.equal(
    (await headgate.command('routes', 'rollback', 'acme/auto', '--learned')).stdout.trim(),
    'acme/auto@1 is now live.',
  );
  await until(({ model_version }) => model_version === 'acme/auto@1');
  const rules = await headgate.command('routes', 'rollback', 'acme/auto', 'rules', '--learned');
  assert.equal(rules.stdout.trim(), 'acme/auto now uses its rules.');
  await until(({ model_version }) => model_version === 'rules');
  const unknown = await headgate.command('routes', 'rollback', 'acme/auto', 'acme/auto@9', '--learned');
  assert.deepEqual([unknown.code, unknown.stderr.trim().slice(0, 40)], [1, 'acme/auto has no version acme/auto@9. Ve']);
});

test('what cannot be learned from is refused by line, and nothing else is touched', async () => {
  const refusals: [string, RegExp][] = [
    ['{"prompt":"a","scores":{"weak":1}}\nnot json', /Line 2 is not JSON/],
    ['{"prompt":"a","scores":{"other":1}}', /Line 1: scores\.other is no target of the route; there is weak, strong/],
    ['{"prompt":"a","scores":{"weak":1.5}}', /Line 1: scores\.weak must be a number from 0 to 1/],
    ['{"scores":{"weak":1}}', /Line 1: prompt must be text/],
    ['{"prompt":"a","scores":{}}', /Line 1: scores must name at least one target/],
    ['[]', /Line 1: it must be an object/],
  ];
  for (const [text, expected] of refusals) {
    const file = join(folder, 'bad.jsonl');
    await writeFile(file, text);
    const { code, stderr } = await headgate.command('routes', 'train', 'acme/auto', file);
    assert.equal(code, 1);
    assert.match(stderr, expected);
  }
  const good = labelledPrompts(1100, seeded(10)).map((row) => ({ ...row, prompt: `never kept ${row.prompt}` }));
  const file = join(folder, 'late.jsonl');
  await writeFile(file, `${lines(good)}\nnot json`);
  assert.match((await headgate.command('routes', 'train', 'acme/auto', file)).stderr, /Line 1101 is not JSON/);
  const { json } = await headgate.command('routes', 'train', 'acme/auto', '--keep-only', '--json');
  assert.ok((json as { trained_rows: number; held_out_rows: number }).trained_rows < 3001, 'nothing of it was kept');
  assert.match((await headgate.command('routes', 'train', 'acme/none')).stderr, /There is no route acme\/none/);
  assert.match((await headgate.command('routes', 'train', 'acme/plain')).stderr, /has no strategy “smart”/);
  assert.match((await headgate.command('routes', 'train', 'acme/auto', '/nowhere')).stderr, /cannot be read/);
});

test('rows that can be read only once are kept as those of a file are', async () => {
  const pipe = join(folder, 'rows.pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const rows = labelledPrompts(20, seeded(11)).map((row) => ({ ...row, prompt: `piped ${row.prompt}` }));
  const train = async (...args: string[]) => {
    const { json, stderr } = await headgate.command('routes', 'train', 'acme/share', ...args, '--keep-only', '--json');
    const { rows_read, trained_rows, held_out_rows } = json as Record<string, number>;
    assert.equal(stderr, '');
    return { read: rows_read, kept: trained_rows! + held_out_rows! };
  };
  const before = await train();
  const written = writeFile(pipe, lines(rows));
  assert.deepEqual(await train(pipe), { read: 20, kept: before.kept + 20 });
  await written;
});

test('feedback is kept for the call it is of, and refused for any other', async () => {
  const answered = await ask(EASY);
  const given = await post('/v1/feedback', { request_id: answered.requestId, score: 0.5, note: 'fine' });
  assert.equal(given.status, 200);
  const { object, request_id, score, note, route, learned } = given.json;
  assert.deepEqual(
    { object, request_id, score, note, route, learned },
    {
      object: 'feedback',
      request_id: answered.requestId,
      score: 0.5,
      note: 'fine',
      route: 'acme/auto',
      learned: true,
    },
  );
  const direct = await ask(EASY, 'weak');
  const plain = await post('/v1/feedback', { request_id: direct.requestId, score: 1 });
  assert.deepEqual([plain.json.route, plain.json.learned], [null, false]);

  const stranger = await headgate.createKey();
  const refusals: [unknown, number, string | null, string?][] = [
    [{ request_id: answered.requestId, score: 1 }, 404, 'request_id', stranger.key],
    [{ request_id: 'req_0', score: 1 }, 404, 'request_id'],
    [{ request_id: answered.requestId, score: 1.1 }, 400, 'score'],
    [{ request_id: answered.requestId, score: '1' }, 400, 'score'],
    [{ request_id: answered.requestId }, 400, 'score'],
    [{ score: 1 }, 400, 'request_id'],
    [{ request_id: answered.requestId, score: 1, mood: 'good' }, 400, 'mood'],
    [{ request_id: answered.requestId, score: 1, note: 'x'.repeat(2001) }, 400, 'note'],
    [[], 400, null],
  ];
  for (const [body, status, param, key] of refusals) {
    const refused = await post('/v1/feedback', body, key);
    assert.deepEqual([refused.status, (refused.json.error as { param: string }).param], [status, param]);
  }
});

test('a smart route learns from feedback by itself, once there is enough of it', async () => {
  const before = await headgate.command('routes', 'versions', 'acme/auto', '--learned', '--json');
  const known = (before.json as { data: { id: string }[] }).data.length;
  const random = seeded(9);
  for (const { prompt, scores } of labelledPrompts(60, random)) {
    const answered = await ask(prompt);
    const score = scores[answered.model as 'strong' | 'weak'];
    assert.equal((await post('/v1/feedback', { request_id: answered.requestId, score })).json.learned, true);
  }
  await headgate.waitForLine(/learned from feedback/);
  const { json } = await headgate.command('routes', 'versions', 'acme/auto', '--learned', '--json');
  const { data } = json as { data: { id: string; source: string }[] };
  assert.equal(data.length, known + 1);
  assert.equal(data[0]!.source, 'feedback');
});

test('the part of calls that is to explore does', async () => {
  await headgate.reload(
    (await config()).replace('explore: 0,', 'explore: 0.5,').replace('learn_every: 1s', 'learn_every: 0'),
  );
  let explored = 0;
  for (let call = 0; call < 200; call += 1) {
    const decision = await decisionOf(await ask(`${EASY} ${call}`));
    if (decision.explored === true) {
      explored += 1;
      assert.equal(decision.propensity === 0.25 || decision.propensity === 0.75, true);
    }
  }
  // Five standard deviations of a binomial count.
  assert.ok(Math.abs(explored - 100) < 5 * Math.sqrt(50), `${explored} of 200`);
});

async function config(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(join(headgate.data, '..', 'headgate.yaml'), 'utf8');
}
