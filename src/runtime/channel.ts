/** One end of a pipe between two processes. */
export type Pipe = {
  send(message: unknown): void;
  /** Called for every message of the other end. */
  onMessage(listener: (message: unknown) => void): void;
};

/** Questions by name, with the types of their body and answer. */
export type Questions = Record<string, { asked: unknown; answered: unknown }>;

export type Answers<Asked extends Questions> = {
  [Name in keyof Asked]: (asked: Asked[Name]['asked']) => Promise<Asked[Name]['answered']> | Asked[Name]['answered'];
};

type ChannelMessage =
  | { headgate: 'question'; id: number; name: string; body: unknown }
  | { headgate: 'answer'; id: number; body: unknown }
  | { headgate: 'failure'; id: number; reason: string };

type WaitingAnswer = { resolve(body: unknown): void; reject(error: Error): void; timer: NodeJS.Timeout | undefined };

/** The other process failed to answer, took too long, or has ended. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
}

/** Questions and answers over a pipe, in both directions. Both ends are of this program, so their bodies are not checked. */
export class Channel<Theirs extends Questions, Ours extends Questions> {
  readonly #pipe: Pipe;
  readonly #answers: Answers<Ours>;
  readonly #waiting = new Map<number, WaitingAnswer>();
  #last = 0;
  #closed = false;

  /** `answers` is what this end answers; `Theirs` is what it may ask. */
  constructor(pipe: Pipe, answers: Answers<Ours>) {
    this.#pipe = pipe;
    this.#answers = answers;
    pipe.onMessage((message) => {
      if (isMessage(message)) this.#take(message);
    });
  }

  /** Rejects with a `ChannelError` if the other end fails, ends, or does not answer within `timeoutMs`. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    body: Theirs[Name]['asked'],
    timeoutMs?: number,
  ): Promise<Theirs[Name]['answered']> {
    if (this.#closed) return Promise.reject(new ChannelError('The other process has ended.'));
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(() => this.#settle(id)?.reject(new ChannelError(`There was no answer to ${name}.`)), timeoutMs);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#send({ headgate: 'question', id, name, body });
    });
  }

  /** The other process is gone: no open question will be answered. */
  close(): void {
    this.#closed = true;
    for (const id of [...this.#waiting.keys()]) {
      this.#settle(id)?.reject(new ChannelError('The other process has ended.'));
    }
  }

  #take(message: ChannelMessage): void {
    switch (message.headgate) {
      case 'question':
        return void this.#answer(message.id, message.name, message.body);
      case 'answer':
        return this.#settle(message.id)?.resolve(message.body);
      case 'failure':
        return this.#settle(message.id)?.reject(new ChannelError(message.reason));
      default:
        message satisfies never;
    }
  }

  async #answer(id: number, name: string, asked: unknown): Promise<void> {
    try {
      const answer = this.#answers[name];
      if (answer === undefined) throw new Error(`Nobody answers ${name} here.`);
      this.#send({ headgate: 'answer', id, body: (await answer(asked)) ?? null });
    } catch (error) {
      this.#send({ headgate: 'failure', id, reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #settle(id: number): WaitingAnswer | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  /** A message that cannot be sent is ignored here: `close` reports that the other process has ended. */
  #send(message: ChannelMessage): void {
    if (!this.#closed) this.#pipe.send(message);
  }
}

function isMessage(message: unknown): message is ChannelMessage {
  return typeof message === 'object' && message !== null && 'headgate' in message;
}
