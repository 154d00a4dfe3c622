import cluster from 'node:cluster';
import { ReportQueue } from '../api/report-queue.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { OperatorApi } from '../organization/operator-api.ts';
import type { SettingsParts } from '../organization/parts.ts';
import type { CommandParts } from '../surfaces/command-operations.ts';
import type { StorelessParts } from '../surfaces/operator.ts';
import type { SurfaceParts } from '../surfaces/surfaces.ts';
import type { GatewayView } from './gateway-view.ts';
import { VERSION } from './setup.ts';
import { silentOf } from './snapshot.ts';
import { unpricedSentences } from './unpriced-news.ts';

/** The HTTP API as commands ask it, in a serving gateway or in their own process. */
export type CommandApi = OperatorApi<CommandApiParts>;

/** The parts of all operations that commands use. */
export type CommandApiParts = SettingsParts & CommandParts & StorelessParts;

/** Asks the HTTP API of a serving gateway as the operator. It is made for the first command that asks. */
export function askerAsOperator(
  surfaces: SurfaceParts,
  served: StorelessParts,
): (request: OperatorRequest) => Promise<OperatorAnswer> {
  let made: Promise<CommandApi> | null = null;
  return async (request) => {
    made ??= operatorApi(surfaces, served);
    return (await made).ask(request);
  };
}

async function operatorApi(surfaces: SurfaceParts, served: StorelessParts): Promise<CommandApi> {
  const [{ OperatorApi: Api, RESOURCES_FOR_COMMANDS }, { COMMAND_OPERATIONS, STORELESS_OPERATIONS }, explaining] =
    await Promise.all([
      import('../organization/operator-api.ts'),
      import('../surfaces/command-operations.ts'),
      import('../surfaces/explain.ts'),
    ]);
  const parts = {
    ...surfaces,
    ...served,
    reports: new ReportQueue(() => Number.POSITIVE_INFINITY),
    explainToOperator: (call: Parameters<typeof explaining.explainToOperator>[1]) =>
      explaining.explainToOperator(surfaces, call),
  };
  const serving = { ...surfaces, organizations: surfaces.routing.organizations };
  return new Api<CommandApiParts>(serving, parts, [
    ...RESOURCES_FOR_COMMANDS,
    ...COMMAND_OPERATIONS,
    ...STORELESS_OPERATIONS,
  ]);
}

/** The serving gateway and its configuration, as commands see them. */
export function servingOperator(view: GatewayView): StorelessParts {
  return {
    gatewayFacts() {
      const { setup, directory } = view.snapshot();
      // A worker's parent has the data.
      const pid = cluster.isWorker ? process.ppid : process.pid;
      const notices = [...setup.notices, ...unpricedSentences(directory)];
      return { version: VERSION, pid, address: view.address(), config_file: setup.config.file, notices };
    },
    offer: async () => ({ directory: view.snapshot().directory, unasked: silentOf(view.snapshot()) }),
    probe: async () => (await import('./inspect.ts')).probeAll(view.snapshot()),
  };
}
