import cluster, { type Worker as Process } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { OperatorError } from '../cli/failure.ts';
import { workerInstance } from '../core/leases.ts';
import type { StorageTrouble } from '../core/ports.ts';
import { type GatewayStatus, mergeOutgoing, mergeProviders, mergeTargets } from '../core/target-status.ts';
import { Throttle } from '../organization/sign-in/throttle.ts';
import { storageLog } from '../telemetry/log.ts';
import { type MetricValues, mergeMetrics } from '../telemetry/metrics.ts';
import { DataOwner, type ShownOnce } from './data-owner.ts';
import { DeadWorkers } from './dead-workers.ts';
import { Heartbeat, PING_EVERY_MS } from './heartbeat.ts';
import type { ConfigText } from './messages.ts';
import { askWorkers } from './operator-workers.ts';
import type { RunningGateway } from './running-gateway.ts';
import { openOwnersData } from './serving-data.ts';
import {
  CLOCK,
  newInstanceId,
  readAgain,
  readCatalog,
  readSetup,
  readText,
  type Setup,
  type StartOptions,
} from './setup.ts';
import { StorageWatch } from './storage-watch.ts';
import { type Child, type Death, StartError, type SupervisedWorker, Supervisor } from './supervisor.ts';
import { closeUndelivered } from './undelivered-connections.ts';

/** How long a worker may take to answer with its metrics or items. */
const ANSWER_MS = 2_000;

/** Serves in the configured number of processes. This one distributes connections among them and owns the data. */
export async function startPrimary(startOptions: StartOptions, log: Logger): Promise<RunningGateway> {
  const first = readText(startOptions);
  const setup = readSetup({ ...startOptions, read: first });
  const primary = new Primary(startOptions, log, first, setup);
  return primary.start();
}

class Primary {
  readonly #startOptions: StartOptions;
  readonly #log: Logger;
  readonly #first: ConfigText;
  #text: ConfigText;
  #setup: Setup;
  /** The counters of ended workers, as of their last answer. */
  #past: MetricValues = [];
  readonly #told = new Map<string, MetricValues>();
  /** The actual port: with `port: 0`, a restarted worker would otherwise listen on another one. */
  #port: number | null = null;
  #address: string | null = null;
  readonly #startedAt = CLOCK.monotonic();
  /** Sign-in attempts at all workers. */
  readonly #attempts = new Throttle(CLOCK.monotonic);
  /** Workers that cannot write the store, by instance. */
  readonly #troubled = new Map<string, StorageTrouble>();

  constructor(startOptions: StartOptions, log: Logger, first: ConfigText, setup: Setup) {
    this.#startOptions = startOptions;
    this.#log = log;
    this.#first = first;
    this.#text = first;
    this.#setup = setup;
  }

  async start(): Promise<RunningGateway> {
    const setup = this.#setup;
    const dataOwner = await DataOwner.open({
      setup,
      log: this.#log,
      current: () => this.#setup,
      openData: openOwnersData,
    });
    const watch = this.#watch(dataOwner);
    const supervisor = this.#supervisor(dataOwner, watch);
    const beating = this.#watchOver(supervisor);
    const end = () => {
      clearInterval(beating);
      watch.stop();
    };
    try {
      readCatalog(setup.folder);
      const { address, greeting } = await supervisor.start();
      this.#address = address;
      const shownOnce = await dataOwner.begin(setup, address, (asked) =>
        askWorkers(supervisor.members, asked, CLOCK.monotonic),
      );
      return this.#gateway(dataOwner, supervisor, end, { address, greeting, ...shownOnce });
    } catch (error) {
      // A failed start answers no calls.
      await supervisor.stop();
      end();
      await dataOwner.close();
      if (error instanceof StartError && error.sentence !== null) throw new OperatorError(error.sentence);
      throw error;
    }
  }

  /** Kills and replaces a worker that does not answer. */
  #watchOver(supervisor: Supervisor): NodeJS.Timeout {
    const { workerTimeout, workerStartTimeout } = this.#setup.config.server;
    const heartbeat = new Heartbeat({
      timeoutMs: workerTimeout,
      startTimeoutMs: workerStartTimeout,
      members: () => supervisor.members,
      serves: ({ isServing }) => isServing,
      onSilent: (member, silentMs) => {
        this.#log.error({ worker: member.pid, silent_ms: silentMs }, 'A worker has not answered, and is killed.');
        member.kill();
      },
      now: CLOCK.monotonic,
    });
    return setInterval(() => heartbeat.beat(), PING_EVERY_MS).unref();
  }

  /** Trouble with the store is reported once, not by each worker. */
  #watch({ storage }: DataOwner): StorageWatch {
    const ofWorkers = () => this.#troubled.values().next().value ?? null;
    return new StorageWatch({
      storage: {
        look: async () => (await storage.look()) ?? ofWorkers(),
        trouble: () => storage.trouble() ?? ofWorkers(),
        onTrouble: (listener) => storage.onTrouble(listener),
      },
      now: CLOCK.monotonic,
      ...storageLog(this.#log, this.#setup.folder),
    });
  }

  #gateway(
    dataOwner: DataOwner,
    supervisor: Supervisor,
    end: () => void,
    shown: Pick<RunningGateway, 'address' | 'greeting'> & ShownOnce,
  ): RunningGateway {
    const current = () => this.#setup;
    return {
      ...shown,
      recovered: dataOwner.recovered,
      get setup() {
        return current();
      },
      reload: async () => {
        const text = readText(this.#startOptions);
        const next = readAgain(this.#setup, { ...this.#startOptions, read: text });
        readCatalog(next.setup.folder);
        await dataOwner.prepare(next.setup);
        // New workers start with it; running workers are sent it.
        this.#text = text;
        this.#setup = next.setup;
        await Promise.all(supervisor.members.map((member) => this.#reload(member, text)));
        dataOwner.tidyUp();
        return next.reloaded;
      },
      stop: async () => {
        await supervisor.stop();
        end();
        await dataOwner.close();
      },
    };
  }

  #supervisor(dataOwner: DataOwner, watch: StorageWatch): Supervisor {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const dead = new DeadWorkers({ log: this.#log, settle: (instanceId) => settleDead(dataOwner, instanceId) });
    const workers = this.#setup.config.server.workers;
    const supervisor: Supervisor = new Supervisor({
      size: workers,
      fork: () => childOf(cluster.fork()),
      instanceId: () => workerInstance(newInstanceId(dataOwner.ids)),
      answers: (member) => ({
        hello: () => ({
          instanceId: member.instanceId,
          index: member.index,
          workers,
          port: this.#portFor(supervisor),
          first: this.#first,
          current: this.#text,
        }),
        metrics: () => this.#metrics(supervisor),
        status: () => this.#status(supervisor),
        items: async (query) => {
          const others = supervisor.members.filter((each) => each !== member);
          const found = others.map(({ channel }) => channel.ask('items', query, ANSWER_MS).catch(() => []));
          return (await Promise.all(found)).flat();
        },
        attempt: (attempt) => this.#attempts.take(attempt),
        forgetAttempts: (by) => {
          this.#attempts.forget(by);
          return null;
        },
        storage: (told) => {
          if (told === null) this.#troubled.delete(member.instanceId);
          else this.#troubled.set(member.instanceId, { reason: told.reason, cause: new Error(told.words) });
          watch.noticed();
          return null;
        },
      }),
      onDeath: (death) => this.#cleanUpAfter(dead, death),
      onReplaced: ({ pid }) => this.#log.info({ worker: pid }, 'A worker serves in the place of one that ended.'),
      now: CLOCK.monotonic,
      wait: (ms) => delay(ms, undefined, { ref: false }),
    });
    return supervisor;
  }

  #portFor({ members }: Supervisor): number | null {
    if (this.#address !== null && !members.some(({ isServing }) => isServing)) {
      this.#port = Number(new URL(this.#address).port);
    }
    return this.#port;
  }

  /** Applies a valid configuration in all workers. A worker that ends meanwhile is replaced by one that starts with it. */
  async #reload({ serving, channel, pid }: SupervisedWorker, text: ConfigText): Promise<void> {
    try {
      await serving;
      await channel.ask('reload', text);
    } catch (error) {
      this.#log.error({ err: error, worker: pid }, 'A worker did not take the new configuration.');
    }
  }

  /** Throws if a worker does not answer: without it, counters would seem to fall. */
  async #metrics(supervisor: Supervisor): Promise<string> {
    const values = supervisor.members.map(async ({ instanceId, channel }) => {
      const told = (await channel.ask('metrics', null, ANSWER_MS)) as MetricValues;
      this.#told.set(instanceId, told);
      return told;
    });
    return mergeMetrics([...(await Promise.all(values)), this.#past]).text();
  }

  /** Workers that do not answer in time count as silent, since a status is read to find hanging workers. */
  async #status({ members }: Supervisor): Promise<GatewayStatus> {
    const asked = members.map(({ channel }) => channel.ask('status', null, ANSWER_MS).catch(() => null));
    const told = (await Promise.all(asked)).filter((status) => status !== null);
    return {
      targets: mergeTargets(told.map(({ targets }) => targets)),
      providers: mergeProviders(told.map(({ providers }) => providers)),
      outgoing: mergeOutgoing(told.map(({ outgoing }) => outgoing)),
      unpriced: told[0]?.unpriced ?? [],
      openCalls: told.reduce((sum, { openCalls }) => sum + openCalls, 0),
      uptimeMs: CLOCK.monotonic() - this.#startedAt,
      workers: members.length,
      silentWorkers: members.length - told.length,
    };
  }

  async #cleanUpAfter(dead: DeadWorkers, death: Death): Promise<void> {
    this.#troubled.delete(death.instanceId);
    await dead.cleanUpAfter(death);
    await this.#remember(death.instanceId);
  }

  /** Counters must not fall when a worker ends; its gauges are dropped. */
  async #remember(instanceId: string): Promise<void> {
    const told = this.#told.get(instanceId);
    this.#told.delete(instanceId);
    if (told === undefined) return;
    const sums = told.filter(({ type }) => String(type) !== 'gauge');
    this.#past = await mergeMetrics([this.#past, sums]).values();
  }
}

/** Cleans up after a dead worker. Resolves with the number of its open calls. */
async function settleDead({ storage }: DataOwner, instanceId: string): Promise<number> {
  const interrupted = await storage.recover(instanceId, CLOCK.now());
  await storage.leases.end(instanceId);
  // Last: the return of its leases reads what it has spent.
  await storage.forget(instanceId);
  return interrupted;
}

function childOf(process: Process): Child {
  closeUndelivered(process.process);
  return {
    pid: process.process.pid ?? 0,
    send(message) {
      // The end of a process is reported by its own event.
      if (process.isConnected()) process.send(message as object, () => undefined);
    },
    onMessage: (listener) => void process.on('message', listener),
    onExit(listener) {
      process.once('exit', (code, signal) => listener(signal ?? `exit code ${code}`, code === 0 && signal === null));
      process.on('error', () => undefined);
    },
    kill: () => void process.process.kill('SIGKILL'),
  };
}
