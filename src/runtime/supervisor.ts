import { type Answers, Channel, type Pipe } from './channel.ts';
import type { Serving, ToPrimary, ToWorker } from './messages.ts';

/** A started process. */
export type Child = Pipe & {
  pid: number;
  /** Called once, when the process has ended. */
  onExit(listener: (how: string, clean: boolean) => void): void;
  kill(): void;
};

export type SupervisedWorker = {
  readonly index: number;
  readonly pid: number;
  readonly instanceId: string;
  readonly channel: Channel<ToWorker, ToPrimary>;
  /** Resolves when it serves; rejects with the reason if it ends before. */
  readonly serving: Promise<Serving>;
  /** True if it serves now. */
  readonly isServing: boolean;
  readonly ended: Promise<void>;
  /** Kills it. That counts as an unexpected end. */
  kill(): void;
};

export type Death = { pid: number; instanceId: string; how: string };

/** The process in one place, and how it ended: `clean` if it said so itself. */
type WorkerSlot = { member: SupervisedWorker; child: Child; end: Promise<{ how: string; clean: boolean }> };

export type SupervisorParts = {
  size: number;
  fork(): Child;
  /** An id that was never used before. */
  instanceId(): string;
  /** Answers to members' questions, except those that the supervisor answers itself. */
  answers(member: SupervisedWorker): Omit<Answers<ToPrimary>, 'serving' | 'failed'>;
  /** Cleans up after a member that ended unexpectedly, before it is replaced. */
  onDeath(death: Death): Promise<void>;
  /** Called for each worker that has replaced another. */
  onReplaced(member: SupervisedWorker): void;
  /** Milliseconds, monotonic. */
  now(): number;
  wait(ms: number): Promise<void>;
};

/** A member that could not start. `sentence` is for the operator; `null` if the member's log says more. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly sentence: string | null;

  constructor(sentence: string | null) {
    super(sentence ?? 'A worker ended before it served.');
    this.sentence = sentence;
  }
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
/** A worker that served this long did not fail because of its start. */
const LONG_LIVED_MS = 10_000;

/** How long to wait before the next start, when this many in a row ended soon after theirs. */
export function backOff(shortLives: number): number {
  return shortLives === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (shortLives - 1));
}

/** The workers of one primary. A worker that ends is replaced; each time later if it ended soon after its start. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #members = new Map<number, SupervisedWorker>();
  readonly #cleaning = new Set<Promise<void>>();
  #over = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  get members(): readonly SupervisedWorker[] {
    return [...this.#members.values()];
  }

  /** Starts all members. Throws a `StartError` if one fails; then none is left. */
  async start(): Promise<Serving> {
    const slots = Array.from({ length: this.#parts.size }, (_, index) => this.#begin(index));
    try {
      const [first] = await Promise.all(slots.map(({ member }) => member.serving));
      slots.forEach((slot, index) => void this.#keepFilled(index, slot, 0));
      return first!;
    } catch (error) {
      this.#over = true;
      for (const { child } of slots) child.kill();
      await Promise.all(slots.map(({ member }) => member.ended));
      throw error;
    }
  }

  /** Stops all members after their open calls; resolves when all have ended. */
  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(
      this.members.map(async ({ channel, ended }) => {
        await channel.ask('stop', null).catch(() => undefined);
        await ended;
      }),
    );
    await Promise.all(this.#cleaning);
  }

  #begin(index: number): WorkerSlot {
    const child = this.#parts.fork();
    let isServing = false;
    const serving = Promise.withResolvers<Serving>();
    // Its failure is reported to those who wait for it, if any.
    serving.promise.catch(() => undefined);
    const end = Promise.withResolvers<{ how: string; clean: boolean }>();
    const member: SupervisedWorker = {
      index,
      pid: child.pid,
      instanceId: this.#parts.instanceId(),
      channel: new Channel(child, {
        hello: (asked) => answers.hello(asked),
        metrics: (asked) => answers.metrics(asked),
        status: (asked) => answers.status(asked),
        items: (asked) => answers.items(asked),
        attempt: (asked) => answers.attempt(asked),
        forgetAttempts: (asked) => answers.forgetAttempts(asked),
        storage: (asked) => answers.storage(asked),
        serving(told) {
          isServing = true;
          serving.resolve(told);
          return null;
        },
        failed(sentence) {
          serving.reject(new StartError(sentence));
          return null;
        },
      }),
      serving: serving.promise,
      get isServing() {
        return isServing;
      },
      ended: end.promise.then(() => undefined),
      kill: () => child.kill(),
    };
    const answers = this.#parts.answers(member);
    child.onExit((how, clean) => {
      this.#members.delete(index);
      member.channel.close();
      serving.reject(new StartError(null));
      end.resolve({ how, clean });
    });
    this.#members.set(index, member);
    return { member, child, end: end.promise };
  }

  async #keepFilled(index: number, first: WorkerSlot, shortLives: number): Promise<void> {
    let slot = first;
    let short = shortLives;
    for (;;) {
      const startedAt = this.#parts.now();
      const { how, clean } = await slot.end;
      const { pid, instanceId } = slot.member;
      if (!(this.#over && clean)) await this.#cleanUp({ pid, instanceId, how });
      if (this.#over) return;
      short = this.#parts.now() - startedAt < LONG_LIVED_MS ? short + 1 : 0;
      await this.#parts.wait(backOff(short));
      if (this.#over) return;
      slot = this.#begin(index);
      const { member } = slot;
      member.serving.then(
        () => this.#parts.onReplaced(member),
        () => undefined, // Its end is told by itself.
      );
    }
  }

  #cleanUp(death: Death): Promise<void> {
    const cleaning = this.#parts.onDeath(death).finally(() => this.#cleaning.delete(cleaning));
    this.#cleaning.add(cleaning);
    return cleaning;
  }
}
