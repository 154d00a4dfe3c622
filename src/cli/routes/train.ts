import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import type { ModelStore, TrainingRow } from '../../core/route-store.ts';
import { RowsError, readRowsFile } from '../../learning/rows-file.ts';
import { type Enforcement, trainRoute } from '../../learning/training.ts';
import type { Command } from '../command.ts';
import { OperatorError, UsageError } from '../failure.ts';
import { smartRoute } from './route-of.ts';
import { trainedJson, trainedText } from './trained-text.ts';

/** Rows are stored in groups of this size, after the whole file was checked. */
const GROUP = 1_000;

/**
 * A running gateway only provides the route. Training takes seconds of CPU that would delay calls, so it runs in this
 * process, on the shared store.
 */
export const routesTrain: Command = {
  name: 'routes train',
  about: 'Train a smart route with scored prompts, and show its result on held-out rows.',
  details: [
    'FILE has one JSON object per line: {"prompt": "…", "system": "…", "scores": {"lab-small": 0, "lab-large": 1}}, with the',
    'route’s names for its targets and scores from 0 to 1. Only features of the prompts are stored. Earlier rows stay,',
    'including those from feedback. The new version goes live only if it is not worse on the held-out rows; a',
    'running gateway on the same data then uses it at once. Without FILE it is trained again from the stored rows.',
  ].join('\n'),
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  second: { value: 'FILE', about: 'Rows to learn from, one JSON object per line.', required: false },
  options: {
    'keep-only': { value: null, about: 'Store the new version, but keep using the live one.' },
    force: { value: null, about: 'Use the new version even if it is worse.' },
  },
  examples: ['headgate routes train acme/auto rows.jsonl', 'headgate routes train acme/auto --keep-only --json'],
  async run({ argument = '', second: file, flags, tools, api }) {
    const storage = await tools.openStorage(api.setup);
    try {
      const route = await smartRoute(api, argument);
      const { targets } = route;
      const known = [...targets, ...route.fallbacks];
      const read =
        file === undefined
          ? 0
          : await keepRows(storage.models, route.id, file, { targets: known, at: tools.clock.now() });
      const trained = await trainRoute({ models: storage.models, clock: tools.clock, turn }, route.id, {
        targets,
        source: file === undefined ? 'kept rows' : basename(file),
        enforcement: enforcementOf(flags),
      });
      return {
        text: trainedText(route.id, read, trained),
        json: { object: 'route.model', route: route.id, rows_read: read, ...trainedJson(trained) },
      };
    } finally {
      await storage.close();
    }
  },
};

function enforcementOf(flags: ReadonlySet<string>): Enforcement {
  if (flags.has('force') && flags.has('keep-only'))
    throw new UsageError('--force and --keep-only cannot be used together.');
  if (flags.has('force')) return 'always';
  return flags.has('keep-only') ? 'never' : 'if-not-worse';
}

/**
 * Returns the number of rows in the file. A faulty line changes nothing: the file is read twice, or held in memory if
 * that is impossible, as for a pipe.
 */
async function keepRows(
  models: ModelStore,
  routeId: string,
  file: string,
  { targets, at }: { targets: readonly string[]; at: number },
): Promise<number> {
  const rows = () =>
    readRowsFile(createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }), {
      origin: basename(file),
      targets,
      at,
    });
  const held: TrainingRow[] | null = statSync(file, { throwIfNoEntry: false })?.isFile() === false ? [] : null;
  const count = await checked(file, rows(), held);
  let group: TrainingRow[] = [];
  for await (const row of held ?? rows()) {
    group.push(row);
    if (group.length < GROUP) continue;
    await models.addRows(routeId, group);
    group = [];
  }
  await models.addRows(routeId, group);
  return count;
}

async function checked(file: string, rows: AsyncIterable<TrainingRow>, held: TrainingRow[] | null): Promise<number> {
  let count = 0;
  try {
    for await (const row of rows) {
      count += 1;
      held?.push(row);
    }
  } catch (error) {
    if (error instanceof RowsError) throw new OperatorError(`${file}: ${error.message}`);
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  return count;
}
