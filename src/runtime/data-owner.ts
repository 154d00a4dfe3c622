import { uptime } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Ids, Storage } from '../core/ports.ts';
import { createIds } from '../http/ids.ts';
import { type OperatorSocket, type OperatorSocketParts, openOperatorSocket } from '../http/operator-socket.ts';
import type { KeyParts } from '../keys/keys.ts';
import { Learner, type LearningRoute } from '../learning/learner.ts';
import type { BudgetAlerts } from '../limits/alerts.ts';
import { keepFileRoutes } from '../organization/routes/file-routes.ts';
import { engine } from '../store/open.ts';
import { recoverOthers } from '../store/recover.ts';
import { Retention } from '../store/retention.ts';
import type { RunningGateway } from './running-gateway.ts';
import type { Opener } from './serving-data.ts';
import { CLOCK, makeFirstKey, makeOrganizations, newInstanceId, openKeys, type Setup } from './setup.ts';
import { firstOwnerLink } from './signing-in.ts';
import { openSpendAlerts } from './spend-alerts.ts';
import { fileRoutesOf } from './stored/routes.ts';

export type DataOwnerParts = {
  setup: Setup;
  log: Logger;
  /** The configuration in force. */
  current(): Setup;
  /** Opens the store for the role of this process. */
  openData(opener: Opener): Promise<Storage>;
};

/** Results of the start, shown once. */
export type ShownOnce = Pick<RunningGateway, 'firstKey' | 'ownerLink'>;

/**
 * The tasks of the one process that owns a served data folder: it holds the lock, settles open calls of dead processes,
 * deletes old records, raises spend alerts, trains smart routes, and answers the operator's commands.
 */
export class DataOwner {
  readonly storage: Storage;
  readonly keys: KeyParts;
  readonly ids: Ids;
  /** The number of calls that an earlier process left open. */
  readonly recovered: number;
  readonly #retention: Retention;
  readonly #learner: Learner;
  readonly #alerts: BudgetAlerts;
  readonly #release: () => void;
  readonly #log: Logger;
  readonly #folder: string;
  #socket: OperatorSocket | null = null;
  #serves = false;

  private constructor(
    parts: { folder: string; storage: Storage; keys: KeyParts; ids: Ids; recovered: number; release: () => void },
    working: { retention: Retention; learner: Learner; alerts: BudgetAlerts },
    log: Logger,
  ) {
    this.#log = log;
    this.#folder = parts.folder;
    this.storage = parts.storage;
    this.keys = parts.keys;
    this.ids = parts.ids;
    this.recovered = parts.recovered;
    this.#release = parts.release;
    this.#retention = working.retention;
    this.#learner = working.learner;
    this.#alerts = working.alerts;
  }

  /** Locks the data folder and recovers open calls of earlier processes. The caller must close it. */
  static async open({ setup, log, current, openData }: DataOwnerParts): Promise<DataOwner> {
    const { release } = engine.acquireInstanceLock(setup.folder, { pid: process.pid, startedAt: CLOCK.now() });
    try {
      await engine.awaitNoWorkers(setup.folder);
      const ids = createIds();
      let owner: DataOwner | null = null;
      const serves = () => owner?.serves === true;
      const opener = { setup, log, instanceId: newInstanceId(ids), isOwner: true, serves };
      const { storage, keys } = await openKeys(setup, ids, () => openData(opener));
      const retention = new Retention({
        storage,
        clock: CLOCK,
        uptime: () => uptime() * 1000,
        keepMs: () => current().config.retention.usage,
        keepRefusedMs: () => current().config.retention.refusedCalls,
        onDoubt: () =>
          log.warn(
            'The clock is far ahead of where it was: no usage records are deleted for a day. Check that it is right.',
          ),
        onError: (error) => log.error({ err: error }, 'Old usage records could not be deleted.'),
      });
      const learner = new Learner({
        models: storage.models,
        clock: CLOCK,
        turn,
        smartRoutes: () => smartRoutesOf(current().config, storage),
        settings: () => ({ every: current().config.routing.learnEvery, after: current().config.routing.learnAfter }),
        onTrained: (route, { version, live, verdict }) =>
          log.info({ route, version, live }, `A smart route has learned from feedback. ${verdict}`),
        onError: (route, error) => log.error({ err: error, route }, 'A smart route could not learn from feedback.'),
      });
      const alerts = openSpendAlerts({ storage, ids, log, current });
      try {
        const recovered = await recoverOthers(storage, CLOCK.now());
        // At a start every rate limit is unused, and spending is read from the records again.
        await storage.leases.clear();
        owner = new DataOwner(
          { folder: setup.folder, storage, keys, ids, recovered, release },
          { retention, learner, alerts },
          log,
        );
        await owner.#keepRoutes(setup);
        return owner;
      } catch (error) {
        await storage.close();
        throw error;
      }
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Must be called after the gateway has begun to serve: a key created by a failed start would never be shown.
   *
   * @param address where it serves
   * @param answer answers the operator's commands
   */
  async begin(setup: Setup, address: string, answer: OperatorSocketParts['answer']): Promise<ShownOnce> {
    this.#serves = true;
    const firstKey = await makeFirstKey(setup, this.storage, this.keys);
    const ownerLink = await firstOwnerLink(setup.config, this.storage, address);
    this.#retention.start();
    this.#learner.start();
    this.#alerts.start();
    await this.#answerCommands(answer);
    return { firstKey, ownerLink };
  }

  /**
   * Opens the socket in the data folder on which the same user's commands reach this gateway. If it cannot be opened, commands
   * use the store directly, and the log says so.
   */
  async #answerCommands(answer: OperatorSocketParts['answer']): Promise<void> {
    if (process.platform === 'win32') return;
    const folder = this.#folder;
    const onFault = (error: unknown) => this.#log.error({ err: error }, 'A command of the operator was not answered.');
    try {
      this.#socket = await openOperatorSocket({ folder, answer, onFault });
    } catch (error) {
      this.#log.warn({ err: error }, 'Commands cannot ask this gateway: no socket could be made in its data folder.');
    }
  }

  /** Prepares the data for a new configuration, before it is in force. */
  async prepare(setup: Setup): Promise<void> {
    await makeOrganizations(setup, this.storage, this.ids);
    await this.#keepRoutes(setup);
  }

  async #keepRoutes({ config }: Setup): Promise<void> {
    const hidden = await keepFileRoutes(this.storage.routes, fileRoutesOf(config), CLOCK.now());
    for (const route of hidden) this.#log.warn({ route }, 'The file’s route hides a stored one of the same id.');
  }

  /** True if the gateway answers calls yet. */
  get serves(): boolean {
    return this.#serves;
  }

  tidyUp(): void {
    void this.#retention.round();
  }

  async close(): Promise<void> {
    await this.#socket?.close();
    this.#retention.stop();
    await this.#learner.stop();
    await this.#alerts.stop();
    await this.storage.close();
    this.#release();
  }
}

/** The smart routes of the configuration and of the store. */
async function smartRoutesOf({ routes, system }: Config, { routes: store }: Storage): Promise<LearningRoute[]> {
  const configured = [...routes, ...(system === null ? [] : [system])].flatMap(({ id, smart, targets }) =>
    smart === null ? [] : [{ id, targets: targets.map(({ model }) => model) }],
  );
  const kept = (await store.list()).flatMap(({ id, definition, canary }) => {
    const targets = smartTargets(definition) ?? (canary === undefined ? null : smartTargets(canary.definition));
    return targets === null ? [] : [{ id, targets }];
  });
  // The configuration's route takes precedence over a stored one with the same id.
  return [...new Map([...kept, ...configured].map((route) => [route.id, route])).values()];
}

/** The targets of a stored smart route; `null` for other routes, and for invalid ones, which the gateway reports. */
function smartTargets(definition: string): string[] | null {
  try {
    const { strategy, targets } = JSON.parse(definition) as { strategy?: unknown; targets?: unknown };
    if (!Array.isArray(strategy) || !strategy.includes('smart') || !Array.isArray(targets)) return null;
    return (targets as (string | { model: string })[]).map((each) => (typeof each === 'string' ? each : each.model));
  } catch {
    return null;
  }
}
