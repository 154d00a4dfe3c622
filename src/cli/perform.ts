import type { Storage } from '../core/ports.ts';
import type { Task } from '../tasks/task.ts';
import { OperatorError } from './failure.ts';
import type { CommandSetup, Toolbox } from './toolbox.ts';

/**
 * To be called before anything is written. Throws an `OperatorError` for a folder that no gateway has used and that was
 * not named explicitly: what is written there would silently have no effect.
 */
export function demandData(setup: CommandSetup): void {
  if (setup.hasData || setup.mayMakeData) return;
  throw new OperatorError(
    `${nothingKept(setup)} Nothing was written. Start a gateway (headgate serve), run this where one was started, or name ` +
      'its data folder with --data.',
  );
}

/** Says that this data folder has never been used. */
export function nothingKept({ folder }: Pick<CommandSetup, 'folder'>): string {
  return `No gateway has run with the data folder ${folder}.`;
}

/** Reads the store. If there is no data yet, `kept` is `undefined` and a note says so: reading creates no folder. */
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
 * Runs a task: in the running gateway with its configuration and secrets, else here on the store. Without data, a note
 * says so, or an `OperatorError` if the task would change something.
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
