import { ConfigError, type Problem } from '../config/problems.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import { demandData, nothingKept } from './data.ts';
import { ApiRefusal, OperatorError, UsageError } from './failure.ts';
import type { CommandSetup, OwnApi, Toolbox, Where } from './toolbox.ts';

/** The most items of a page that lists of the HTTP API give. */
const AT_ONCE = 100;

/** Parameters of a query; those that are `undefined` are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * The HTTP API, as a command asks it: of the running gateway by its operator socket, else of this process, over the store.
 * Refusals are thrown as an `ApiRefusal`, faults in a text as a `ConfigError`.
 */
export class Api {
  /** What the operator should know beside the answers. */
  readonly notes: string[] = [];
  readonly #tools: Toolbox;
  readonly #where: Where;
  readonly #organizationId: string | null;
  #setup: CommandSetup | null = null;
  #own: OwnApi | null = null;
  /** Whether `#own` is over an empty store, which is removed afterwards: nothing may be written there. */
  #isEmpty = false;
  #isServed = false;

  /** @param organizationId - the organization that is meant: `--organization`; `null` for the default */
  constructor(tools: Toolbox, where: Where, organizationId: string | null) {
    this.#tools = tools;
    this.#where = where;
    this.#organizationId = organizationId;
  }

  /** The configuration of this command. Throws a `ConfigError`. */
  get setup(): CommandSetup {
    this.#setup ??= this.#tools.readSetup(this.#where);
    return this.#setup;
  }

  /** Whether a running gateway has answered. */
  get isServed(): boolean {
    return this.#isServed;
  }

  /** Whether there is no data yet, so that what was read is of an empty store. */
  get isOfNothing(): boolean {
    return this.#isEmpty;
  }

  get<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return this.#send('GET', `${path}${textOf(query)}`, '');
  }

  post<Answer>(path: string, body: object = {}, query: Query = {}): Promise<Answer> {
    return this.#send('POST', `${path}${textOf(query)}`, JSON.stringify(body));
  }

  remove<Answer>(path: string): Promise<Answer> {
    return this.#send('DELETE', path, '');
  }

  /** The answer of the running gateway alone; `null` if there is none. `body`: JSON. */
  async ofGateway<Answer>(method: 'GET' | 'POST', path: string, body = ''): Promise<Answer | null> {
    const answer = await this.#tools.askLive(this.setup, { method, path, body, organizationId: this.#organizationId });
    return answer && (answerIn(answer) as Answer);
  }

  /** The answer to what needs no store: of the running gateway, else over the configuration of this command. */
  async ofProcess<Answer>(path: string, query: Query = {}): Promise<Answer> {
    const asked: OperatorRequest = { method: 'GET', path: `${path}${textOf(query)}`, body: '', organizationId: null };
    const answer = await this.#tools.askLive(this.setup, asked);
    return answerIn(answer ?? (await this.#tools.askStoreless(this.setup, asked))) as Answer;
  }

  /** The items of all pages of a list, or the first `most`. `limit` of the query: the most of a page. */
  async list<Item>(path: string, query: Query = {}, most = Number.POSITIVE_INFINITY): Promise<Listed<Item>> {
    const data: Item[] = [];
    for (let after = query.after; ; ) {
      const limit = Math.min(Number(query.limit ?? AT_ONCE), most - data.length);
      const page: ListPage<Item> = await this.get(path, { ...query, limit, after });
      data.push(...page.data);
      after = page.next ?? undefined;
      if (!page.has_more || data.length >= most) return { data, isMore: page.has_more };
    }
  }

  async close(): Promise<void> {
    await this.#own?.close();
  }

  async #send<Answer>(method: OperatorRequest['method'], path: string, body: string): Promise<Answer> {
    const answer = await this.#ask({ method, path, body, organizationId: this.#organizationId });
    return answerIn(answer) as Answer;
  }

  async #ask(asked: OperatorRequest): Promise<OperatorAnswer> {
    const reads = asked.method === 'GET';
    if (this.#isEmpty && !reads) await this.#leaveEmpty();
    if (this.#own === null) {
      const answer = await this.#tools.askLive(this.setup, asked);
      if (answer !== null) {
        this.#isServed = true;
        return answer;
      }
      if (this.#isServed) throw new OperatorError('The gateway that serves this data has ended meanwhile.');
    }
    this.#own ??= await this.#openOwn(reads);
    return this.#own.ask(asked);
  }

  /** Reading creates no data: without any, it reads what there would be. */
  async #openOwn(reads: boolean): Promise<OwnApi> {
    if (this.setup.hasData || !reads) {
      demandData(this.setup);
      return this.#tools.openApi(this.setup);
    }
    this.notes.push(nothingKept(this.setup));
    this.#isEmpty = true;
    return this.#tools.openEmptyApi(this.setup);
  }

  async #leaveEmpty(): Promise<void> {
    const empty = this.#own;
    this.#own = null;
    this.#isEmpty = false;
    this.notes.splice(this.notes.indexOf(nothingKept(this.setup)), 1);
    await empty?.close();
  }
}

/** The items of a list; `isMore`: whether there are others. */
export type Listed<Item> = { data: readonly Item[]; isMore: boolean };

type ListPage<Item> = { data: readonly Item[]; has_more: boolean; next: string | null };

/**
 * A path with encoded names: `` at`/v1/organization/projects/${id}` ``. Throws a `UsageError` for a name that would lead to
 * another path.
 */
export function at(parts: TemplateStringsArray, ...names: readonly string[]): string {
  const step = names.find((name) => name === '.' || name === '..');
  if (step !== undefined) throw new UsageError(`“${step}” is not a name or an id.`);
  return String.raw({ raw: parts }, ...names.map(encodeURIComponent));
}

export function textOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

type ErrorBody = {
  error?: { message?: string; code?: string | null; param?: string | null; problems?: readonly Problem[] };
};

/** The JSON of an answer. Throws the refusal, if it is one. */
function answerIn(answer: OperatorAnswer): unknown {
  const json = jsonIn(answer);
  if (answer.status !== 200) throw refusalIn(answer.status, json);
  return json;
}

function jsonIn({ status, body }: OperatorAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new OperatorError(`The gateway that serves this data answered ${status} with what is not JSON.`, { cause });
  }
}

function refusalIn(status: number, json: unknown): Error {
  const {
    message = 'The gateway refused this without a reason.',
    code,
    param = null,
    problems,
  } = (json as ErrorBody | null)?.error ?? {};
  // The HTTP API gives a code. The operator socket of an older gateway gives none for paths that it does not know.
  if (status === 404 && code === undefined) {
    return new OperatorError(
      'The gateway that serves this data does not know this operation. Restart it with this version.',
    );
  }
  return problems === undefined ? new ApiRefusal(message, { status, param }) : new ConfigError(problems);
}
