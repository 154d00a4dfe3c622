import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import type { ModelStore, TrainingRow } from '../../core/route-store.ts';
import { RowsError, readRowsFile } from '../../learning/rows-file.ts';
import { type Enforcement, trainRoute } from '../../learning/training.ts';
import type { Command } from '../command.ts';
import { OperatorError, UsageError } from '../failure.ts';
import { checkSmart, routeOf, servedRoutes } from './route-of.ts';
import { trainedJson, trainedText } from './trained-text.ts';

/** Rows are kept in groups of so many, once the whole file was found to be right. */
const GROUP = 1_000;

/**
 * The gateway that serves is asked for the route alone: learning takes seconds of CPU that its calls would wait for, so it is done
 * in this process, on the store that both have.
 */
export const routesTrain: Command = {
  name: 'routes train',
  about: 'Teach a smart route from prompts with scores, and show how well it does on rows it has not seen.',
  details: [
    'FILE has a JSON object a line: {"prompt": "…", "system": "…", "scores": {"lab-small": 0, "lab-large": 1}}, with the',
    'route’s names for its targets and scores from 0 to 1. Only features of the prompts are kept. What was learned before,',
    'from files and from feedback, counts too. The new version goes live only if it is not worse on the rows held out; a',
    'gateway that runs on the same data then asks it at once. Without FILE it learns anew from what is kept.',
  ].join('\n'),
  argument: { value: 'ROUTE', about: 'The id of the route.', required: true },
  second: { value: 'FILE', about: 'Rows to learn from, a JSON object a line.', required: false },
  options: {
    'keep-only': { value: null, about: 'Keep the new version, but leave the one that is live.' },
    force: { value: null, about: 'Put the new version in force also if it is worse.' },
  },
  examples: ['headgate routes train acme/auto rows.jsonl', 'headgate routes train acme/auto --keep-only --json'],
  async run({ argument = '', second: file, flags, where, tools }) {
    const setup = tools.readSetup(where);
    const storage = await tools.openStorage(setup);
    try {
      const route = routeOf(await servedRoutes(tools, setup), argument);
      checkSmart(route);
      const targets = route.targets.map(({ model }) => model);
      const known = [...targets, ...route.fallbacks.map(({ model }) => model)];
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
  if (flags.has('force') && flags.has('keep-only')) throw new UsageError('--force and --keep-only say the opposite.');
  if (flags.has('force')) return 'always';
  return flags.has('keep-only') ? 'never' : 'if-not-worse';
}

/**
 * Tells how many rows the file has. One that has a line at fault changes nothing: it is read twice, or, where that cannot be,
 * as of a pipe, its rows are held meanwhile.
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
