import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { sentenceOf } from '../cli/failure.ts';
import { GatewayError } from '../core/errors.ts';
import type { Storage } from '../core/ports.ts';
import { createIds } from '../http/ids.ts';
import { createLeasingLimiter, type LeasingLimiter } from '../limits/leasing/leasing-limiter.ts';
import type { SignInAttempts } from '../organization/sign-in/throttle.ts';
import { engine } from '../store/open.ts';
import { createLog } from '../telemetry/log.ts';
import { type Answers, Channel } from './channel.ts';
import { Gateway } from './gateway.ts';
import { greetingFactsOf } from './greeting-facts.ts';
import { listenFailure } from './listen-failure.ts';
import type { StartOrder, ToPrimary, ToWorker } from './messages.ts';
import { openServingData } from './serving-data.ts';
import { MACHINE_CLOCK, openKeys, readAgain, readCatalog, readSetup, type Setup, type StartOptions } from './setup.ts';

/** How long another process may take to answer while a caller waits. */
const ANSWER_MS = 2_000;
/** How often leases of idle keys are returned. */
const RETURN_MS = 1_000;
/** A terminal or a service manager sends these to every process; only the primary acts on them. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

type ToHere = Channel<ToPrimary, ToWorker>;
type Worker = { gateway: Gateway; storage: Storage; limiter: LeasingLimiter; setup: Setup; returning: NodeJS.Timeout };

/** One of several processes that serve; resolves with the exit code, once the primary has told it to stop. */
export async function work(startOptions: StartOptions): Promise<number> {
  for (const signal of SIGNALS) process.on(signal, () => undefined);
  // What cannot be told to the primary any more says that it is dead, and so ends this process too.
  cluster.worker?.on('error', () => process.exit(1));
  const started = Promise.withResolvers<Worker>();
  const stopped = Promise.withResolvers<void>();
  const answers: Answers<ToWorker> = {
    async reload(read) {
      const worker = await started.promise;
      worker.setup = readAgain(worker.setup, { ...startOptions, read }).setup;
      await worker.gateway.reload(worker.setup, readCatalog(worker.setup.folder));
      return null;
    },
    async stop() {
      await end(await started.promise);
      // The answer goes first.
      setImmediate(stopped.resolve);
      return null;
    },
    ping: () => null,
    metrics: async () => (await started.promise).gateway.metrics.values(),
    status: async () => (await started.promise).gateway.status(),
    items: async ({ keyId, ids }) => (await started.promise).gateway.items.kept(keyId, ids),
    operator: async (asked) => (await started.promise).gateway.askAsOperator(asked),
  };
  const channel: ToHere = new Channel(
    { send: (message) => void process.send?.(message), onMessage: (listener) => void process.on('message', listener) },
    answers,
  );
  const order = await channel.ask('hello', null);
  const here = { ...startOptions, read: order.first };
  const setup = listeningOn(order.port, readSetup(here));
  const log = createLog(setup.config.server.logLevel).child({ worker: process.pid });
  try {
    const worker = await begin({ startOptions: here, log, setup }, order, channel);
    started.resolve(worker);
    await channel.ask('serving', {
      address: worker.gateway.address,
      greeting: greetingFactsOf(worker.gateway, startOptions),
    });
  } catch (error) {
    const known = listenFailure(error, setup.config.server) ?? error;
    const sentence = sentenceOf(known);
    if (sentence === null) log.error({ err: known }, 'The worker could not start.');
    await channel.ask('failed', sentence);
    process.exit(1);
  }
  await stopped.promise;
  process.disconnect?.();
  return 0;
}

async function begin(
  { startOptions, log, setup }: { startOptions: StartOptions; log: Logger; setup: Setup },
  order: StartOrder,
  channel: ToHere,
): Promise<Worker> {
  engine.joinWorkers(setup.folder);
  const { index, workers, instanceId, first, current } = order;
  const ids = createIds();
  let serves = false;
  const opener = { setup, log, instanceId, isOwner: false, serves: () => serves };
  const { storage, keys } = await openKeys(setup, ids, () => openServingData(opener));
  let limiter: LeasingLimiter | undefined;
  const gateway = await Gateway.start({
    startOptions,
    log,
    setup,
    storage,
    keys,
    ids,
    processParts: {
      limiter: (defaults) => {
        limiter = createLeasingLimiter({ clock: MACHINE_CLOCK, leases: storage.leases, workers, defaults });
        return limiter;
      },
      items: (keyId, itemIds) =>
        channel.ask('items', { keyId, ids: itemIds }, ANSWER_MS).catch((error: unknown) => {
          log.warn({ err: error }, 'The other workers could not be asked for items.');
          return [];
        }),
      metrics: () => channel.ask('metrics', null, 2 * ANSWER_MS),
      status: () => channel.ask('status', null, 2 * ANSWER_MS),
      storageNews: {
        // The primary writes it to the log, once for all workers. A primary that is gone ends this process too.
        onTrouble: ({ reason, cause }) => {
          channel.ask('storage', { reason, words: String(cause) }).catch(() => undefined);
        },
        onRecovered: () => void channel.ask('storage', null).catch(() => undefined),
      },
      attempts: attemptsOfAll(channel),
      asksVendors: index === 0,
      portion: (whole) => portion(whole, index, workers),
    },
  });
  const worker: Worker = { gateway, storage, limiter: limiter!, setup, returning: setInterval(returnIdle, RETURN_MS) };
  if (current.text !== first.text || current.file !== first.file) {
    worker.setup = readAgain(setup, { ...startOptions, read: current }).setup;
    await gateway.reload(worker.setup, readCatalog(setup.folder));
  }
  serves = true;
  return worker;

  function returnIdle(): void {
    void limiter?.returnIdle();
  }
}

/** Attempts to sign in are counted by the primary. Where it does not answer, none is made. */
function attemptsOfAll(channel: ToHere): SignInAttempts {
  return {
    take: (attempt) =>
      channel.ask('attempt', attempt, ANSWER_MS).catch((cause: unknown) => {
        throw new GatewayError('overloaded', 'Nobody can sign in at this moment: try again.', { cause });
      }),
    // Whoever has proved who they are is let in without it, too: what was counted ends with its window.
    forget: async (by) => {
      await channel.ask('forgetAttempts', by, ANSWER_MS).catch(() => null);
    },
  };
}

function listeningOn(port: number | null, setup: Setup): Setup {
  if (port === null) return setup;
  return { ...setup, config: { ...setup.config, server: { ...setup.config.server, port } } };
}

/** Limits that each process counts alone are divided among the workers, so that their sum is what the configuration says. */
function portion(setup: Setup, index: number, workers: number): Setup {
  const { config } = setup;
  const { maxOpenCalls, maxOutputItems, maxIdleConnections, maxUnread, maxReceiving } = config.limits;
  const share = (amount: number) => Math.floor(amount / workers) + (index < amount % workers ? 1 : 0);
  const limits = {
    ...config.limits,
    maxOpenCalls: share(maxOpenCalls),
    maxOutputItems: share(maxOutputItems),
    maxIdleConnections: share(maxIdleConnections),
    maxUnread: share(maxUnread),
    maxReceiving: share(maxReceiving),
  };
  const providers = config.providers.map((provider) => {
    if (provider.concurrency === null) return provider;
    const { max, queue, wait } = provider.concurrency;
    return { ...provider, concurrency: { max: share(max), queue: share(queue), wait } };
  });
  return { ...setup, config: { ...config, limits, providers } };
}

async function end({ gateway, storage, limiter, returning }: Worker): Promise<void> {
  await gateway.stop();
  clearInterval(returning);
  await limiter.close();
  await storage.close();
}
