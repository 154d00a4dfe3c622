import { ConfigError, type Problem } from '../config/problems.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import { ApiRefusal, OperatorError } from './failure.ts';
import { demandData, nothingKept } from './perform.ts';
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

  get<Answer>(path: string, query: Query = {}): Promise<Answer> {
    return this.#send('GET', `${path}${textOf(query)}`, '');
  }

  post<Answer>(path: string, body: object = {}, query: Query = {}): Promise<Answer> {
    return this.#send('POST', `${path}${textOf(query)}`, JSON.stringify(body));
  }

  remove<Answer>(path: string): Promise<Answer> {
    return this.#send('DELETE', path, '');
  }

  /** The items of all pages of a list, or the first `most`. */
  async list<Item>(path: string, query: Query = {}, most = Number.POSITIVE_INFINITY): Promise<Listed<Item>> {
    const data: Item[] = [];
    for (let after = query.after; ; ) {
      const limit = Math.min(AT_ONCE, most - data.length);
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
    const json: unknown = JSON.parse(answer.body);
    if (answer.status !== 200) throw refusalIn(json);
    return json as Answer;
  }

  async #ask(asked: OperatorRequest): Promise<OperatorAnswer> {
    if (this.#own === null) {
      const answer = await this.#tools.askLive(this.setup, asked);
      if (answer !== null) {
        this.#isServed = true;
        return answer;
      }
      if (this.#isServed) throw new OperatorError('The gateway that serves this data has ended meanwhile.');
    }
    this.#own ??= await this.#openOwn(asked.method === 'GET');
    return this.#own.ask(asked);
  }

  /** Reading creates no data: without any, it reads what there would be. */
  async #openOwn(reads: boolean): Promise<OwnApi> {
    if (this.setup.hasData || !reads) {
      demandData(this.setup);
      return this.#tools.openApi(this.setup);
    }
    this.notes.push(nothingKept(this.setup));
    return this.#tools.openEmptyApi(this.setup);
  }
}

/** The items of a list; `isMore`: whether there are others. */
export type Listed<Item> = { data: readonly Item[]; isMore: boolean };

type ListPage<Item> = { data: readonly Item[]; has_more: boolean; next: string | null };

/** A path with encoded names: `` at`/v1/organization/projects/${id}` ``. */
export function at(parts: TemplateStringsArray, ...names: readonly string[]): string {
  return String.raw({ raw: parts }, ...names.map(encodeURIComponent));
}

function textOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

type ErrorBody = { error?: { message?: string; param?: string | null; problems?: readonly Problem[] } };

function refusalIn(json: unknown): Error {
  const {
    message = 'The gateway refused this without a reason.',
    param = null,
    problems,
  } = (json as ErrorBody).error ?? {};
  return problems === undefined ? new ApiRefusal(message, param) : new ConfigError(problems);
}
