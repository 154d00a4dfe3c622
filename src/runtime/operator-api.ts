import { ReportQueue } from '../api/report-queue.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { OperatorApi, OperatorApiParts } from '../organization/operator-api.ts';
import type { CommandParts } from '../surfaces/command-operations.ts';
import type { SurfaceParts } from '../surfaces/surfaces.ts';

/** The HTTP API as commands ask it, in a serving gateway or in their own process. */
export type CommandApi = OperatorApi<OperatorApiParts & CommandParts>;

/** Asks the HTTP API of a serving gateway as the operator. It is made for the first command that asks. */
export function askerAsOperator(surfaces: SurfaceParts): (request: OperatorRequest) => Promise<OperatorAnswer> {
  let made: Promise<CommandApi> | null = null;
  return async (request) => {
    made ??= operatorApi(surfaces);
    return (await made).ask(request);
  };
}

async function operatorApi(surfaces: SurfaceParts): Promise<CommandApi> {
  const [{ OperatorApi: Api }, { COMMAND_OPERATIONS }, { explainToOperator }] = await Promise.all([
    import('../organization/operator-api.ts'),
    import('../surfaces/command-operations.ts'),
    import('../surfaces/explain.ts'),
  ]);
  const parts = {
    ...surfaces,
    organizations: surfaces.routing.organizations,
    reports: new ReportQueue(() => Number.POSITIVE_INFINITY),
    explainToOperator: (call: Parameters<typeof explainToOperator>[1]) => explainToOperator(surfaces, call),
  };
  return new Api<OperatorApiParts & CommandParts>(parts, COMMAND_OPERATIONS);
}
