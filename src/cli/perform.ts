import type { Storage } from '../core/ports.ts';
import type { Task } from '../tasks/task.ts';
import { OperatorError } from './failure.ts';
import type { CommandSetup, Toolbox } from './toolbox.ts';

/**
 * To be called before anything is kept. Throws an `OperatorError` in a folder that no gateway serves and that was not named: a
 * key or a route there would be of no use to anybody, and nobody would see why.
 */
export function demandData(setup: CommandSetup): void {
  if (setup.hasData || setup.mayMakeData) return;
  throw new OperatorError(
    `${nothingKept(setup)} Nothing was written. Start a gateway (headgate serve), run this where one was started, or name ` +
      'its data folder with --data.',
  );
}

/** Says that nobody has kept anything in this data folder. */
export function nothingKept({ folder }: Pick<CommandSetup, 'folder'>): string {
  return `No gateway has run with the data folder ${folder}.`;
}

/**
 * Reads what is kept. Where nothing is kept yet, `kept` is `undefined` and a note says so: a question makes no folder.
 */
export async function readData<T>(
  tools: Toolbox,
  setup: CommandSetup,
  read: (storage: Storage) => Promise<T>,
): Promise<{ kept: T | undefined; notes: string[] }> {
  if (!setup.hasData) return { kept: undefined, notes: [nothingKept(setup)] };
  const storage = await tools.openStorage(setup);
  try {
    return { kept: await read(storage), notes: [] };
  } finally {
    await storage.close();
  }
}

/**
 * Has a task done: by the gateway that serves this data, with its configuration and its secrets, else here on the store.
 * Where nothing is kept yet, a note says so, or an `OperatorError` where the task would have changed something.
 */
export async function perform<Input, Answer>(
  tools: Toolbox,
  setup: CommandSetup,
  task: Task<Input, Answer>,
  input: Input,
): Promise<{ answer: Answer; notes: string[] }> {
  const gateway = await tools.live(setup);
  if (gateway !== null) return { answer: await gateway.perform(task, input), notes: [] };
  if (!setup.hasData && task.ofNothing !== undefined) {
    const answer = await task.ofNothing(tools.servicesOfNothing(setup), input);
    return { answer, notes: [nothingKept(setup)] };
  }
  const storage = await tools.openStorage(setup);
  try {
    return { answer: await task.run(tools.services(setup, storage), input), notes: [] };
  } finally {
    await storage.close();
  }
}
