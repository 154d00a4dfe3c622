import { GatewayError } from '../core/errors.ts';
import type { Clock } from '../core/ports.ts';
import type { KeptModel, ModelStore, TrainingRow } from '../core/route-store.ts';
import { readFeatures } from './features.ts';
import type { Row } from './fit.ts';
import { isNotWorse } from './gate.ts';
import { readModel, writeModel } from './model-file.ts';
import { CHUNK, inTurns, type Steps } from './steps.ts';
import { type Evaluation, isHeldOut, type Trained, trainInSteps } from './train.ts';

/** The largest weight of a call whose target was unlikely to be chosen. */
const MAX_WEIGHT = 3;
/** The number of held-out scores needed to judge a first model. */
const MIN_SCORES = 50;

/** The number of newest rows to learn from. More would take memory and time from calls served meanwhile. */
const MAX_LEARNED_ROWS = 50_000;
/** The most stored versions of a route; beyond it the oldest that is not live is deleted. */
export const MAX_VERSIONS = 50;

/** When a trained model is put in force: only if it is not worse, never, or in any case. */
export type Enforcement = 'if-not-worse' | 'never' | 'always';

export type TrainingParts = {
  models: ModelStore;
  clock: Clock;
  /** Lets the event loop go on between the steps of a training. */
  turn(): Promise<void>;
};

/** `targets`: the route's names of its targets. `source`: the stated origin of the version's rows. */
export type TrainingOrder = { targets: readonly string[]; source: string; enforcement: Enforcement };

/** The result of a training. `verdict` says in a sentence why it is in force, or is not. */
export type TrainedVersion = {
  version: string;
  trainedRows: number;
  /** Rows left out because another version of this software wrote their features. */
  unreadable: number;
  evaluation: Evaluation;
  live: boolean;
  verdict: string;
};

/**
 * Trains a model from all rows of a route, stores it as a new version, and makes it live if it is not worse than the live
 * one on held-out rows. Throws `GatewayError` (`invalid_request`) if there are no rows to learn from, or only held-out
 * ones.
 */
export async function trainRoute(
  { models, clock, turn }: TrainingParts,
  routeId: string,
  { targets, source, enforcement }: TrainingOrder,
): Promise<TrainedVersion> {
  const { rows, unreadable } = await readRows(models, routeId, turn);
  if (rows.length === 0) {
    throw new GatewayError('invalid_request', `There are no rows to learn from for \`${routeId}\`.`, {
      param: 'route',
    });
  }
  if (rows.every(({ features }) => isHeldOut(features))) {
    const message = `There are too few rows to learn from for \`${routeId}\`: those that are kept (${rows.length}) are all held out to judge by.`;
    throw new GatewayError('invalid_request', message, { param: 'route' });
  }
  const trained = await inTurns(trainInSteps(rows, { targets }), turn);
  const { model, evaluation, trainedRows } = trained;
  const versions = await models.list(routeId);
  const present = versions.find(({ live }) => live) ?? null;
  const { notWorse, reason } = await judged({ models, turn }, present, trained);
  const live = enforcement === 'always' || (enforcement === 'if-not-worse' && notWorse);
  const version = nextVersion(routeId, versions);
  await models.add({
    id: version,
    routeId,
    createdAt: clock.now(),
    live: false,
    source,
    rows: rows.length,
    evaluation: JSON.stringify(evaluation),
    weights: Buffer.from(writeModel(model)),
  });
  if (live) await models.enforce(routeId, version);
  for (const old of versions.slice(MAX_VERSIONS - 1)) await models.forget(old.id);
  return { version, trainedRows, unreadable, evaluation, live, verdict: reason };
}

async function judged(
  { models, turn }: Pick<TrainingParts, 'models' | 'turn'>,
  present: KeptModel | null,
  { model, evaluation, heldOut }: Trained,
): Promise<{ notWorse: boolean; reason: string }> {
  const kept = present === null ? null : await models.find(present.id);
  if (kept === null) return worthMoreThanNothing(evaluation);
  return inTurns(isNotWorse(model, readModel(kept.weights), heldOut), turn);
}

/** The first model of a route is compared with the mere base rate of each target. */
function worthMoreThanNothing({ targets }: Evaluation): { notWorse: boolean; reason: string } {
  const qualities = Object.values(targets);
  const scores = qualities.reduce((sum, { rows }) => sum + rows, 0);
  if (scores < MIN_SCORES) {
    return { notWorse: false, reason: `There are ${scores} held-out scores; ${MIN_SCORES} are needed to judge.` };
  }
  const excess = qualities.reduce((sum, { rows, logLoss, baseLogLoss }) => sum + rows * (logLoss - baseLogLoss), 0);
  return excess <= 0
    ? { notWorse: true, reason: 'It knows more than how often each target is good.' }
    : { notWorse: false, reason: 'On the held-out rows it knows less than how often each target is good.' };
}

async function readRows(
  models: ModelStore,
  routeId: string,
  turn: () => Promise<void>,
): Promise<{ rows: Row[]; unreadable: number }> {
  let kept: TrainingRow[] = [];
  for await (const batch of models.rows(routeId)) {
    kept.push(...batch);
    if (kept.length > 2 * MAX_LEARNED_ROWS) kept = newest(kept);
  }
  return inTurns(readable(newest(kept)), turn);
}

/** Read only after the newest are known: features take twice the memory of their text. */
function* readable(kept: readonly TrainingRow[]): Steps<{ rows: Row[]; unreadable: number }> {
  const rows: Row[] = [];
  for (const [at, each] of kept.entries()) {
    if (at % CHUNK === 0) yield;
    const row = readRow(each);
    if (row !== null) rows.push(row);
  }
  return { rows, unreadable: kept.length - rows.length };
}

function newest(rows: readonly TrainingRow[]): TrainingRow[] {
  if (rows.length <= MAX_LEARNED_ROWS) return [...rows];
  return rows.toSorted((one, other) => other.at - one.at).slice(0, MAX_LEARNED_ROWS);
}

function readRow({ features, scores, propensity }: TrainingRow): Row | null {
  try {
    return { features: readFeatures(features), scores, weight: Math.min(MAX_WEIGHT, 1 / propensity) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** `acme/auto@3` follows `acme/auto@2`. */
function nextVersion(routeId: string, versions: readonly KeptModel[]): string {
  const numbers = versions.map(({ id }) => Number(id.slice(id.lastIndexOf('@') + 1)) || 0);
  return `${routeId}@${Math.max(0, ...numbers) + 1}`;
}
