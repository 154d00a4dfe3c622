import cluster, { type Worker as Process } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { OperatorError } from './cli/failure.ts';
import { type Child, Crew, type Death, type Member, StartError } from './cluster/crew.ts';
import { Heartbeat, PING_EVERY_MS } from './cluster/heartbeat.ts';
import { forgetNoConnection } from './cluster/in-transit.ts';
import type { ConfigText } from './cluster/messages.ts';
import { endLeases } from './control/limits/leasing/end-leases.ts';
import { StorageWatch } from './control/storage/watch.ts';
import type { StorageTrouble } from './core/ports.ts';
import { type GatewayStatus, mergedTargets } from './core/target-status.ts';
import type { Gateway } from './gateway.ts';
import { type MetricValues, together } from './http/metrics.ts';
import { Keeper } from './keeper.ts';
import { storageLog } from './log.ts';
import {
  CLOCK,
  MACHINE_CLOCK,
  newInstanceId,
  type Place,
  readAgain,
  readCatalog,
  readSetup,
  readText,
  type Setup,
} from './setup.ts';

/** How long a worker may take to tell its metrics or its items. */
const ANSWER_MS = 2_000;

/** Serves in as many processes as the configuration says. This one hands connections to them in turn, and keeps the data. */
export async function startPrimary(place: Place, log: Logger): Promise<Gateway> {
  const first = readText(place);
  const setup = readSetup({ ...place, read: first });
  const primary = new Primary(place, log, first, setup);
  return primary.start();
}

class Primary {
  readonly #place: Place;
  readonly #log: Logger;
  readonly #first: ConfigText;
  #text: ConfigText;
  #setup: Setup;
  /** What workers that have ended had counted, as far as it was ever asked for. */
  #past: MetricValues = [];
  readonly #told = new Map<string, MetricValues>();
  /** The port that was taken, once nobody listens on it any more: then `port: 0` would find another. */
  #port: number | null = null;
  #address: string | null = null;
  readonly #startedAt = CLOCK.monotonic();
  /** Workers that cannot write the store, by their instance. */
  readonly #troubled = new Map<string, StorageTrouble>();

  constructor(place: Place, log: Logger, first: ConfigText, setup: Setup) {
    this.#place = place;
    this.#log = log;
    this.#first = first;
    this.#text = first;
    this.#setup = setup;
  }

  async start(): Promise<Gateway> {
    const setup = this.#setup;
    const keeper = await Keeper.open({
      setup,
      log: this.#log,
      present: () => this.#setup.config,
    });
    const watch = this.#watch(keeper);
    const crew = this.#crew(keeper, watch);
    const beating = this.#watchOver(crew);
    const end = () => {
      clearInterval(beating);
      watch.stop();
    };
    try {
      readCatalog(setup.folder);
      const { address, offer } = await crew.start();
      this.#address = address;
      const firstKey = await keeper.begin(setup);
      return this.#gateway(keeper, crew, end, { address, offer, firstKey });
    } catch (error) {
      end();
      await keeper.close();
      if (error instanceof StartError && error.sentence !== null) throw new OperatorError(error.sentence);
      throw error;
    }
  }

  /** A worker that does not answer serves nobody, and what it holds waits: it is ended, and another takes its place. */
  #watchOver(crew: Crew): NodeJS.Timeout {
    const heartbeat = new Heartbeat({
      timeoutMs: this.#setup.config.server.workerTimeout,
      members: () => crew.members,
      onSilent: (member, silentMs) => {
        this.#log.error({ worker: member.pid, silent_ms: silentMs }, 'A worker has not answered, and is killed.');
        member.kill();
      },
      now: CLOCK.monotonic,
    });
    return setInterval(() => heartbeat.beat(), PING_EVERY_MS).unref();
  }

  /** What one worker tells of the store is told once for all. */
  #watch({ storage }: Keeper): StorageWatch {
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
    keeper: Keeper,
    crew: Crew,
    end: () => void,
    { address, offer, firstKey }: Pick<Gateway, 'address' | 'offer' | 'firstKey'>,
  ): Gateway {
    const current = () => this.#setup;
    return {
      address,
      offer,
      firstKey,
      recovered: keeper.recovered,
      get setup() {
        return current();
      },
      reload: async () => {
        const text = readText(this.#place);
        const next = readAgain(this.#setup, { ...this.#place, read: text });
        readCatalog(next.setup.folder);
        await keeper.prepare(next.setup);
        // Who starts from now on begins with it; who has begun is told.
        this.#text = text;
        this.#setup = next.setup;
        await Promise.all(crew.members.map((member) => this.#reload(member, text)));
        keeper.tidyUp();
        return next.reloaded;
      },
      stop: async () => {
        await crew.stop();
        end();
        await keeper.close();
      },
    };
  }

  #crew(keeper: Keeper, watch: StorageWatch): Crew {
    cluster.schedulingPolicy = cluster.SCHED_RR;
    const workers = this.#setup.config.server.workers;
    const crew: Crew = new Crew({
      size: workers,
      fork: () => childOf(cluster.fork()),
      instanceId: () => newInstanceId(keeper.ids),
      answers: (member) => ({
        hello: () => ({
          instanceId: member.instanceId,
          index: member.index,
          workers,
          port: this.#portFor(crew),
          first: this.#first,
          present: this.#text,
        }),
        metrics: () => this.#metrics(crew),
        status: () => this.#status(crew),
        items: async (query) => {
          const others = crew.members.filter((each) => each !== member);
          const found = others.map(({ channel }) => channel.ask('items', query, ANSWER_MS).catch(() => []));
          return (await Promise.all(found)).flat();
        },
        storage: (told) => {
          if (told === null) this.#troubled.delete(member.instanceId);
          else this.#troubled.set(member.instanceId, { reason: told.reason, cause: new Error(told.words) });
          watch.noticed();
          return null;
        },
      }),
      onDeath: (death) => this.#bury(keeper, death),
      onReplaced: ({ pid }) => this.#log.info({ worker: pid }, 'A worker serves in the place of one that ended.'),
      now: CLOCK.monotonic,
      wait: (ms) => delay(ms, undefined, { ref: false }),
    });
    return crew;
  }

  #portFor({ members }: Crew): number | null {
    if (this.#address !== null && !members.some(({ isServing }) => isServing)) {
      this.#port = Number(new URL(this.#address).port);
    }
    return this.#port;
  }

  /** What was read once without a fault is put in force by all; one that ends meanwhile is replaced by one that begins with it. */
  async #reload({ serving, channel, pid }: Member, text: ConfigText): Promise<void> {
    try {
      await serving;
      await channel.ask('reload', text);
    } catch (error) {
      this.#log.error({ err: error, worker: pid }, 'A worker did not take the new configuration.');
    }
  }

  /** Throws where a worker that serves does not tell: a sum without it would look like a fall. */
  async #metrics(crew: Crew): Promise<string> {
    const values = crew.members.map(async ({ instanceId, channel }) => {
      const told = (await channel.ask('metrics', null, ANSWER_MS)) as MetricValues;
      this.#told.set(instanceId, told);
      return told;
    });
    return together([...(await Promise.all(values)), this.#past]).text();
  }

  /** Who does not tell in time is told of as that: a worker that hangs is what a status is read for. */
  async #status({ members }: Crew): Promise<GatewayStatus> {
    const asked = members.map(({ channel }) => channel.ask('status', null, ANSWER_MS).catch(() => null));
    const told = (await Promise.all(asked)).filter((status) => status !== null);
    return {
      targets: mergedTargets(told.map(({ targets }) => targets)),
      openCalls: told.reduce((sum, { openCalls }) => sum + openCalls, 0),
      uptimeMs: CLOCK.monotonic() - this.#startedAt,
      workers: members.length,
      silentWorkers: members.length - told.length,
    };
  }

  /** It is seen to be dead, so what it left open is settled, beside what the others have open. */
  async #bury(keeper: Keeper, { pid, instanceId, how }: Death): Promise<void> {
    const { storage } = keeper;
    this.#troubled.delete(instanceId);
    try {
      const interrupted = await storage.recoverFrom(instanceId, CLOCK.now());
      await endLeases(storage.leases, instanceId, MACHINE_CLOCK.monotonic);
      this.#log.error({ worker: pid, how, interrupted }, 'A worker ended unasked. Another takes its place.');
    } catch (error) {
      this.#log.error({ worker: pid, how, err: error }, 'A worker ended unasked, and its calls could not be settled.');
    }
    await this.#remember(instanceId);
  }

  /** Counters must not fall because a worker ended. What is not a sum over time goes with it. */
  async #remember(instanceId: string): Promise<void> {
    const told = this.#told.get(instanceId);
    this.#told.delete(instanceId);
    if (told === undefined) return;
    const sums = told.filter(({ type }) => String(type) !== 'gauge');
    this.#past = await together([this.#past, sums]).values();
  }
}

function childOf(process: Process): Child {
  forgetNoConnection(process.process);
  return {
    pid: process.process.pid ?? 0,
    send(message) {
      // A process that has just ended is told by its end.
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
