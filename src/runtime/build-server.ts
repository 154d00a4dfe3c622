import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Front } from '../http/answer-headers.ts';
import { HttpLayers } from '../http/layers.ts';
import { ReceivedBodies } from '../http/received-bodies.ts';
import { createServer, type ServerOptions } from '../http/server.ts';
import { giveFeedback } from '../learning/feedback.ts';
import { decidedBy } from '../learning/live-models.ts';
import { adminPartsOf } from '../organization/administration.ts';
import { callerFinder } from '../organization/callers.ts';
import { publicAddressOf } from '../organization/sign-in/public-address.ts';
import type { WebhookSender } from '../organization/webhooks/sender.ts';
import { ConsolePages, consoleFolder } from '../surfaces/console.ts';
import { type SurfaceParts, serveSurfaces } from '../surfaces/surfaces.ts';
import { disconnectLog } from '../telemetry/log.ts';
import type { CallPath } from './build-pipeline.ts';
import type { StoredParts } from './build-stored.ts';
import { gatewayServingOf } from './gateway-serving.ts';
import { configIn, type GatewayView } from './gateway-view.ts';
import { askerAsOperator, servingOperator } from './operator-api.ts';
import type { GatewayParts } from './process-parts.ts';
import { routeServingOf } from './route-serving.ts';
import { CLOCK, VERSION } from './setup.ts';
import { openSigningIn } from './signing-in.ts';
import { openWebhooksAndMail } from './webhooks-and-mail.ts';

/** What answers requests. It does not listen yet. */
export type ServerParts = {
  server: FastifyInstance;
  layers: HttpLayers;
  webhooks: WebhookSender;
  routing: ReturnType<typeof routeServingOf>;
  askAsOperator: ReturnType<typeof askerAsOperator>;
};

type BuiltParts = { stored: StoredParts; calls: CallPath };

export function buildServer(parts: GatewayParts, view: GatewayView, built: BuiltParts): ServerParts {
  const { log, storage, keys, ids, processParts } = parts;
  const { stored, calls } = built;
  const config = () => configIn(view);
  const { headerPrefix, console: hasConsole, httpLayer } = config().server;
  const front: Front = { headerPrefix, keys: stored.checker, limiter: calls.limits.limiter, clock: CLOCK, ids };
  const admin = adminPartsOf(keys, storage);
  const sending = openWebhooksAndMail(admin, () => view.snapshot().setup, log);
  const served = servedParts(view, { ...built, sending: sending.parts });
  const { signIn, site } = openSigningIn({
    ...{ config, admin, storage, log },
    port: view.port,
    checker: stored.checker,
    attempts: processParts.attempts,
  });
  const pages = new ConsolePages(hasConsole ? consoleFolder(join(import.meta.dirname, '..')) : null, () =>
    publicAddressOf(config().server, view.port()),
  );
  const serving: ServerOptions = {
    front,
    site,
    onFault: (error, requestId) =>
      log.error({ err: error, request_id: requestId }, 'The gateway failed to answer a request.'),
    onDisconnected: disconnectLog(log, CLOCK.monotonic),
    onUsed: (keyId) => stored.uses.note(keyId),
    onRefused: (call) => calls.observer.refused(call),
    stopping: view.isStopping,
    limits: view.requestLimits,
    receivedBodies: new ReceivedBodies(() => view.requestLimits().maxReceiving),
    answerPage: (request, reply) => pages.answer(request, reply),
  };
  const server = createServer(serving);
  const layers = new HttpLayers(server, serving, calls.wheel, httpLayer);
  const routing = routeServingOf(view.snapshot, storage, { ids, env: parts.startOptions.env });
  const surfaces: SurfaceParts = {
    ...surfaceParts(parts, view, built),
    ...served,
    pipeline: calls.pipeline,
    ...sending.parts,
    ...{ pages, front, admin, site, signIn, routing },
    app: server,
    router: layers,
    onFault: serving.onFault,
    findCaller: callerFinder({ ...storage, site }),
  };
  serveSurfaces(surfaces);
  return {
    server,
    layers,
    webhooks: sending.sender,
    routing,
    askAsOperator: askerAsOperator(surfaces, servingOperator(view)),
  };
}

function servedParts(
  view: GatewayView,
  { stored, calls, sending }: BuiltParts & { sending: ReturnType<typeof openWebhooksAndMail>['parts'] },
) {
  return {
    ...sending,
    ...stored.settings.serving(view),
    pipeline: calls.pipeline,
    directory: () => view.snapshot().directory,
    explainFeatures: (route, summary, tokens) => decidedBy(stored.models.of(route.id), route, summary, tokens),
  } satisfies Partial<SurfaceParts>;
}

/** What the surfaces read of the store, the configuration in force and the state of the gateway. */
function surfaceParts({ storage, setup }: GatewayParts, view: GatewayView, { stored, calls }: BuiltParts) {
  const limits = () => configIn(view).limits;
  return {
    usage: storage.usage,
    budgetUse: storage.thresholds,
    calls: storage.calls,
    refused: storage.refused,
    ...{ limits, defaultLimits: limits },
    live: { settled: storage.settled, shedder: calls.shedder, stopping: view.isStopping },
    giveFeedback: (caller, given) => giveFeedback({ ...storage, clock: CLOCK }, caller, given),
    gateway: gatewayServingOf(() => view.snapshot().setup, storage),
    modelNames: () => view.snapshot().directory.entries.map(({ id }) => id),
    version: VERSION,
    status: view.status,
    metrics: calls.metrics,
    metricsToken: setup.secrets.metricsToken,
    ready: async () => (view.isStopping() ? { reason: 'The gateway is stopping.' } : stored.watch.whyUnready()),
  } satisfies Partial<SurfaceParts>;
}
