import { ConfigError, type Problem } from '../config/problems.ts';
import { type ErrorKind, GatewayError } from '../core/errors.ts';
import { exactJson, readExactJson } from './bigint-json.ts';
import {
  diffRouteVersionsTask,
  draftVersionTask,
  listRouteVersionsTask,
  promoteVersionTask,
  rollBackRouteTask,
  setCanaryTask,
} from './route-versions.ts';
import {
  draftRouteTask,
  explainRouteTask,
  listRoutesTask,
  putRouteTask,
  removeRouteTask,
  showRouteTask,
} from './routes.ts';
import type { Task, TaskServices } from './task.ts';

/** A task with input and answer types that only the asking command knows. */
type AnyTask = { name: string; run(services: TaskServices, input: never): Promise<unknown> };

/** All tasks by their names on the operator socket. */
const TASKS: readonly AnyTask[] = [
  listRoutesTask,
  showRouteTask,
  putRouteTask,
  removeRouteTask,
  draftRouteTask,
  explainRouteTask,
  listRouteVersionsTask,
  diffRouteVersionsTask,
  setCanaryTask,
  promoteVersionTask,
  rollBackRouteTask,
  draftVersionTask,
];

/** The result of a task: its answer, or a refusal for the caller. */
type Outcome =
  | { answer: unknown }
  | { refused: { kind: ErrorKind; message: string; param: string | null } }
  | { problems: readonly Problem[] };

/**
 * Runs the task with this name for a command of another process.
 *
 * @param input as `exactJson` writes it
 * @returns what `readOutcome` reads. Rejects for internal errors of the gateway
 */
export async function runTask(services: TaskServices, name: string, input: string): Promise<string> {
  const task = TASKS.find((each) => each.name === name);
  const outcome = task === undefined ? unknownTask(name) : await outcomeOf(task, services, input);
  return exactJson(outcome);
}

async function outcomeOf(task: AnyTask, services: TaskServices, input: string): Promise<Outcome> {
  try {
    return { answer: await task.run(services, readExactJson(input) as never) };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems };
    if (error instanceof SyntaxError)
      return refusal(new GatewayError('invalid_json', 'The input of a task must be JSON.'));
    if (error instanceof GatewayError && error.kind !== 'internal') return refusal(error);
    throw error;
  }
}

function refusal({ kind, message, param }: GatewayError): Outcome {
  return { refused: { kind, message, param } };
}

/** A command may be newer than the running gateway. */
function unknownTask(name: string): Outcome {
  return refusal(
    new GatewayError('not_found', `The running gateway does not know ${name}. Restart it with this version.`),
  );
}

/** The answer inside what `runTask` returned. Throws the refusal, if it was one. */
export function readOutcome<Answer>(_: Task<never, Answer>, text: string): Answer {
  const outcome = readExactJson(text) as Outcome;
  if ('problems' in outcome) throw new ConfigError(outcome.problems);
  if ('answer' in outcome) return outcome.answer as Answer;
  const { kind, message, param } = outcome.refused;
  throw new GatewayError(kind, message, { param });
}
