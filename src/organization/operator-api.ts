import { CallerTurns } from '../api/caller-turns.ts';
import { type LazyOperations, listsFor } from '../api/lazy-operations.ts';
import type { HttpApi } from '../api/operation.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { OrganizationStore } from '../core/ports.ts';
import { OperatorApp } from '../http/operator-app.ts';
import { operatorFinder } from './operator.ts';
import { RESOURCES } from './resources.ts';

/** What the HTTP API for commands is served with, besides the parts of its operations. */
export type OperatorApiParts = Pick<HttpApi, 'front' | 'site'> & {
  /** Finds the one that a command names. */
  organizations: Pick<OrganizationStore, 'list'>;
};

/** The resources that commands may ask. Nobody signs in by a command. */
export const RESOURCES_FOR_COMMANDS = RESOURCES.filter(({ caller }) => caller !== 'person');

/** The HTTP API for commands. Its caller is the operator, who needs no key, and whose requests no limit counts. */
export class OperatorApi<Parts> {
  readonly #parts: Parts;
  readonly #lists: readonly LazyOperations<Parts>[];
  readonly #app: OperatorApp;
  readonly #served: HttpApi;
  readonly #loaded = new Set<LazyOperations<Parts>>();

  constructor({ front, site, organizations }: OperatorApiParts, parts: Parts, lists: readonly LazyOperations<Parts>[]) {
    this.#parts = parts;
    this.#lists = lists;
    this.#app = new OperatorApp(front);
    const turns = new CallerTurns(() => Number.POSITIVE_INFINITY);
    this.#served = { app: this.#app, front, site, turns, findCaller: operatorFinder(organizations) };
  }

  /** Refusals are answers. Rejects with faults of the gateway. */
  async ask(asked: OperatorRequest): Promise<OperatorAnswer> {
    await Promise.all(listsFor(this.#lists, asked.path).map((list) => this.#load(list)));
    return this.#app.ask(asked);
  }

  async #load(list: LazyOperations<Parts>): Promise<void> {
    const operations = await list.load();
    if (this.#loaded.has(list)) return;
    this.#loaded.add(list);
    for (const operation of operations) operation.serveWith(this.#served, this.#parts);
  }
}
