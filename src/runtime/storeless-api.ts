import type { Environment } from '../config/interpolate.ts';
import { GatewayError } from '../core/errors.ts';
import { createIds } from '../http/ids.ts';
import { OperatorApi } from '../organization/operator-api.ts';
import { STORELESS_OPERATIONS } from '../surfaces/command-operations.ts';
import type { StorelessParts } from '../surfaces/operator.ts';
import { CLOCK, type Setup } from './setup.ts';

/** What only some operations need is loaded when they ask for it. */
const inspect = () => import('./inspect.ts');

/** The operations that need no store, over a configuration that no gateway serves. */
export function storelessApi(setup: Setup, env: Environment): OperatorApi<StorelessParts> {
  const { headerPrefix } = setup.config.server;
  const serving = {
    front: { headerPrefix, clock: CLOCK, ids: createIds(), limiter: { state: noGateway } },
    site: { linkTo: noGateway, demandRecent: noGateway },
    organizations: { list: async () => [] },
  };
  return new OperatorApi(serving, servingAlone(setup, env), STORELESS_OPERATIONS);
}

/** What is known without a gateway. */
export function servingAlone(setup: Setup, env: Environment): StorelessParts {
  return {
    gatewayFacts: noGateway,
    offer: async () => (await inspect()).knownModelsOf(setup, env),
    probe: async () => (await inspect()).probeProviders(setup, env),
  };
}

/** Only a gateway that serves this data can do it. */
export function noGateway(): never {
  throw new GatewayError('not_found', 'No gateway serves this data. Start one: headgate serve');
}
