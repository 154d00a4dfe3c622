import { ReportQueue } from '../api/report-queue.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { OperatorApi } from '../organization/operator-api.ts';
import type { SurfaceParts } from '../surfaces/surfaces.ts';

/** Asks the HTTP API of a serving gateway as the operator. It is made for the first command that asks. */
export function askerAsOperator(surfaces: SurfaceParts): (request: OperatorRequest) => Promise<OperatorAnswer> {
  let made: Promise<OperatorApi> | null = null;
  return async (request) => {
    made ??= operatorApi(surfaces);
    return (await made).ask(request);
  };
}

async function operatorApi(surfaces: SurfaceParts): Promise<OperatorApi> {
  const [{ OperatorApi: Api }, { explainToOperator }] = await Promise.all([
    import('../organization/operator-api.ts'),
    import('../surfaces/explain.ts'),
  ]);
  return new Api({
    ...surfaces,
    organizations: surfaces.routing.organizations,
    reports: new ReportQueue(() => Number.POSITIVE_INFINITY),
    explainToOperator: (call) => explainToOperator(surfaces, call),
  });
}
