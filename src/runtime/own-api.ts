import { ReportQueue } from '../api/report-queue.ts';
import type { Environment } from '../config/interpolate.ts';
import type { Ids, Storage } from '../core/ports.ts';
import { replayCalls } from '../core/replay.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { createIds } from '../http/ids.ts';
import type { AdminParts } from '../organization/administration.ts';
import { OperatorApi, type OperatorApiParts, RESOURCES_FOR_COMMANDS } from '../organization/operator-api.ts';
import { ensureOrganizations } from '../organization/organizations.ts';
import type { RouteServing } from '../organization/parts.ts';
import { linkAddress } from '../organization/sign-in/links.ts';
import type { SignInParts } from '../organization/sign-in/parts.ts';
import { publicAddressOf } from '../organization/sign-in/public-address.ts';
import { COMMAND_OPERATIONS, STORELESS_OPERATIONS } from '../surfaces/command-operations.ts';
import type { KnownModels } from './drafted-route.ts';
import { gatewayServingOf } from './gateway-serving.ts';
import type { CommandApi, CommandApiParts } from './operator-api.ts';
import { type RouteReadingParts, routeBookOf } from './route-book.ts';
import { CLOCK, keySourceOf, type Setup, VERSION } from './setup.ts';
import { nameRulesOf } from './stored/name-rules.ts';
import { providerRulesOf } from './stored/provider-rules.ts';
import { noGateway, servingAlone } from './storeless-api.ts';

/** What only some operations need is loaded when they ask for it. */
const inspect = () => import('./inspect.ts');
const preview = () => import('./preview.ts');

/** A configuration, its data, and the environment of a command. */
type Own = { setup: Setup; env: Environment; storage: Storage; ids: Ids };

type OwnOrganizations = RouteServing['organizations'];

/** The HTTP API over a store that no gateway serves, for commands. The caller closes the storage. */
export async function openOwnApi(setup: Setup, env: Environment, storage: Storage): Promise<CommandApi> {
  const own: Own = { setup, env, storage, ids: createIds() };
  const organizations: OwnOrganizations = {
    list: () => ensureOrganizations({ ...own, store: storage.organizations, clock: CLOCK }, setup.config.organizations),
  };
  const parts = await partsOf(own, organizations);
  const operations = [...RESOURCES_FOR_COMMANDS, ...COMMAND_OPERATIONS, ...STORELESS_OPERATIONS];
  return new OperatorApi<CommandApiParts>({ ...servingOf(setup), organizations }, parts, operations);
}

function servingOf({ config: { server } }: Setup): Pick<OperatorApiParts, 'front' | 'site'> {
  return {
    front: { headerPrefix: server.headerPrefix, clock: CLOCK, ids: createIds(), limiter: { state: noGateway } },
    site: {
      linkTo(secret) {
        const address = publicAddressOf(server, server.port);
        return address === null ? null : linkAddress(address, secret);
      },
      demandRecent: noGateway,
    },
  };
}

async function partsOf(own: Own, organizations: OwnOrganizations): Promise<CommandApiParts> {
  const { setup, env, storage, ids } = own;
  const { config } = setup;
  const keys = await keySourceOf(setup, storage, ids);
  const { settings, audit, webhooks } = storage;
  const admin: AdminParts = {
    ...{ settings, keys: storage.keys, audit, webhooks, clock: CLOCK, ids },
    /** Read on demand: what needs no secret must work without the pepper. */
    get pepper() {
      return keys().pepper;
    },
    random: (bytes) => keys().random(bytes),
  };
  return {
    ...servingOf(setup),
    ...servingAlone(setup, env),
    get signIn() {
      return signInOf(admin, own);
    },
    admin,
    modelNames: () => [],
    defaultLimits: () => config.limits,
    usage: storage.usage,
    calls: storage.calls,
    refused: storage.refused,
    budgetUse: storage.thresholds,
    reports: new ReportQueue(() => Number.POSITIVE_INFINITY),
    sendWebhook: async () => noGateway(),
    sendMail: () => null,
    webhookHosts: () => config.server.webhookHosts,
    providers: {
      rules: providerRulesOf(() => setup, storage),
      tryOut: async (tried) => (await inspect()).tryProvider(setup, env, tried),
      presets: [],
      status: async () => NO_STATUS,
      models: () => new Map(),
    },
    nameRules: {
      ...nameRulesOf(
        () => setup,
        storage,
        async () => (await inspect()).directoryBeside(setup, env, storage),
      ),
      askedDirectory: async () => (await (await inspect()).askedModelsOf(setup, env)).directory,
    },
    routing: routingOf(own, organizations),
    gateway: gatewayServingOf(() => setup, storage),
    explainToOperator: noGateway,
    pipeline: { explain: noGateway },
    version: VERSION,
    status: noGateway,
    directory: noGateway,
  };
}

/** Routes as this configuration and the store have them. Providers are asked for their models at most once. */
function routingOf({ setup, env, storage }: Own, organizations: RouteServing['organizations']): RouteServing {
  let asked: Promise<KnownModels> | null = null;
  const models = async (asks: boolean) => {
    const { askedModelsOf, knownModelsOf } = await inspect();
    if (!asks) return knownModelsOf(setup, env);
    asked ??= askedModelsOf(setup, env);
    return asked;
  };
  const reading: RouteReadingParts = {
    ...{ config: setup.config, lineOf: setup.lineOf, env, models },
    routeTargets: async (route, directory) => (await preview()).routeTargetsOf(route, directory),
  };
  return {
    ...{ store: storage.routes, organizations },
    book: () => routeBookOf(reading, { asks: false }),
    operatorBook: (asks) => routeBookOf(reading, { asks }),
    async replay({ route, from, limit }) {
      const { directory } = await models(true);
      const change = await (await preview()).replayerOf(storage, route, directory);
      return replayCalls(storage.calls, { routeId: route.id, from, limit, isOver: () => false }, change);
    },
  };
}

/** Nobody signs in by a command. */
function signInOf(admin: AdminParts, { setup, storage }: Own): SignInParts {
  return {
    admin,
    people: storage.people,
    organizations: storage.organizations,
    get passwords() {
      return noGateway();
    },
    attempts: { take: noGateway, forget: noGateway },
    onUntold: noGateway,
    rules: () => setup.config.signIn,
    publicAddress: noGateway,
  };
}

const NO_STATUS: GatewayStatus = {
  targets: [],
  providers: [],
  outgoing: [],
  unpriced: [],
  openCalls: 0,
  uptimeMs: 0,
  workers: 0,
  silentWorkers: 0,
};
