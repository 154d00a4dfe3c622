import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptModel, ModelStore, TrainingRow } from '../core/route-store.ts';
import { labelledPrompts } from '../testing/labelled-prompts.ts';
import { seeded } from '../testing/seeded.ts';
import { featuresOf, readFeatures, writeFeatures } from './features.ts';
import { Learner } from './learner.ts';
import { readModel } from './model-file.ts';
import { isHeldOut } from './train.ts';
import { MAX_VERSIONS, trainRoute } from './training.ts';

const CLOCK = { now: () => 1_795_262_400_000, monotonic: () => 0 };

/** What a store keeps of one route, in memory: the store itself has its own tests. */
function memory(rows: readonly TrainingRow[]) {
  const versions: KeptModel[] = [];
  const models: ModelStore = {
    list: async () => versions.map((version) => ({ ...version, weights: Buffer.alloc(0) })).reverse(),
    find: async (id) => versions.find((version) => version.id === id) ?? null,
    live: async () => versions.find(({ live }) => live) ?? null,
    add: async (model) => void versions.push(model),
    forget: async (id) => {
      const at = versions.findIndex((version) => version.id === id && !version.live);
      if (at >= 0) versions.splice(at, 1);
    },
    enforce: async (_route, id) => {
      for (const version of versions) version.live = version.id === id;
    },
    addRows: async () => assert.fail('a training adds no rows'),
    countRows: async () => 0,
    async *rows() {
      yield rows;
    },
  };
  return { versions, parts: { models, clock: CLOCK, turn: async () => undefined } };
}

function rowsOf(count: number, seed: number): TrainingRow[] {
  return labelledPrompts(count, seeded(seed)).map(({ prompt, scores }, index) => ({
    id: `row_${seed}_${index}`,
    origin: 'rows.jsonl',
    at: index,
    features: writeFeatures(
      featuresOf({
        lastUser: prompt,
        system: '',
        turns: 1,
        tools: 0,
        images: false,
        structured: false,
        promptTokens: 20,
      }),
    ),
    scores,
    propensity: 1,
  }));
}

const TARGETS = ['weak', 'strong'];
const LEARN = { targets: TARGETS, source: 'rows.jsonl', enforcement: 'if-not-worse' } as const;

test('the first version that knows more than how often targets are good is live', async () => {
  const { parts, versions } = memory(rowsOf(1000, 1));
  const trained = await trainRoute(parts, 'acme/auto', LEARN);
  assert.deepEqual([trained.version, trained.live, versions[0]?.live], ['acme/auto@1', true, true]);
  assert.ok(trained.evaluation.rows > 100 && trained.trainedRows > 700);
});

test('with too few scores held out to judge by, a version is kept, and not live', async () => {
  const { parts } = memory(rowsOf(60, 1));
  const trained = await trainRoute(parts, 'acme/auto', LEARN);
  assert.equal(trained.live, false);
  assert.match(trained.verdict, /held-out scores; 50 are needed/);
});

test('a version that is worse on the rows held out does not take the place of the one that is live', async () => {
  const good = memory(rowsOf(1500, 1));
  await trainRoute(good.parts, 'acme/auto', LEARN);
  // What is learned from now says nothing of the prompts; what is held out is as it was.
  const blank = rowsOf(1500, 1).map((row, index) => ({
    ...row,
    scores: index % 2 === 0 ? { strong: 0 } : { weak: 1 },
  }));
  const rows = rowsOf(1500, 1).map((row, index) => (isHeldOut(readFeatures(row.features)) ? row : blank[index]!));
  const worse = memory(rows);
  worse.versions.push(...good.versions);
  const trained = await trainRoute(worse.parts, 'acme/auto', LEARN);
  assert.deepEqual([trained.version, trained.live], ['acme/auto@2', false]);
  assert.match(trained.verdict, /log loss is higher|APGR is lower/);
  assert.equal(worse.versions.find(({ live }) => live)?.id, 'acme/auto@1');
  const forced = await trainRoute(worse.parts, 'acme/auto', { ...LEARN, enforcement: 'always' });
  assert.equal(worse.versions.find(({ live }) => live)?.id, forced.version);
});

/** Of some rows the answers of others are known, too: of a fallback that served, and of a target that the route had before. */
function rowsWithOthers(): TrainingRow[] {
  return rowsOf(600, 1).map((row, index) => {
    if (index >= 20) return row;
    return { ...row, scores: { ...row.scores, fallback: 1, former: 0 } };
  });
}

test('a wanted share is read off the targets that the route chooses among, whoever else was scored', async () => {
  const { parts, versions } = memory(rowsWithOthers());
  await trainRoute(parts, 'acme/auto', LEARN);
  const { dial } = readModel(versions[0]!.weights);
  assert.deepEqual([dial?.strong, dial?.weak], ['strong', 'weak']);
});

test('what is learned from feedback knows the route’s targets', async () => {
  const { parts, versions } = memory(rowsWithOthers());
  const learner = new Learner({
    ...parts,
    smartRoutes: async () => [{ id: 'acme/auto', targets: TARGETS }],
    settings: () => ({ every: 0, after: 0 }),
    onTrained: () => undefined,
    onError: (_route, error) => assert.fail(String(error)),
  });
  await learner.round();
  const { dial } = readModel(versions[0]!.weights);
  assert.deepEqual([dial?.strong, dial?.weak], ['strong', 'weak']);
});

test('as many versions are kept as may be; the live one is never forgotten', async () => {
  const { parts, versions } = memory(rowsOf(60, 1));
  const old = { routeId: 'acme/auto', createdAt: 0, live: false, source: '', rows: 0, evaluation: '{}' };
  for (let number = 1; number <= MAX_VERSIONS; number += 1) {
    versions.push({ ...old, id: `acme/auto@${number}`, weights: Buffer.alloc(0) });
  }
  await trainRoute(parts, 'acme/auto', { ...LEARN, enforcement: 'never' });
  assert.equal(versions.length, MAX_VERSIONS);
  assert.deepEqual([versions[0]?.id, versions.at(-1)?.id], ['acme/auto@2', `acme/auto@${MAX_VERSIONS + 1}`]);
});

test('kept rows are read some hundred a turn, however many come at once', async () => {
  let looked = 0;
  let most = 0;
  const rows = rowsOf(2000, 1).map((row) => ({
    ...row,
    get features() {
      looked += 1;
      most = Math.max(most, looked);
      return row.features;
    },
  }));
  const { parts } = memory(rows);
  const turn = async () => {
    looked = 0;
  };
  const trained = await trainRoute({ ...parts, turn }, 'acme/auto', LEARN);
  assert.equal(trained.trainedRows + trained.evaluation.rows, rows.length);
  assert.ok(most > 0 && most <= 512, `${most} rows in one turn`);
});

test('without rows there is nothing to learn from', async () => {
  await assert.rejects(trainRoute(memory([]).parts, 'acme/auto', LEARN), { kind: 'invalid_request' });
});

test('rows that are all held out to judge by are said to be too few', async () => {
  const heldOut = rowsOf(60, 1).filter(({ features }) => isHeldOut(readFeatures(features)));
  await assert.rejects(trainRoute(memory(heldOut.slice(0, 2)).parts, 'acme/auto', LEARN), {
    kind: 'invalid_request',
    message: /too few rows to learn from for `acme\/auto`: those that are kept \(2\) are all held out/,
  });
});
