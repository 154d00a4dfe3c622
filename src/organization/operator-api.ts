import { CallerTurns } from '../api/caller-turns.ts';
import type { HandledOperation, HttpApi } from '../api/operation.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { OrganizationStore } from '../core/ports.ts';
import { OperatorApp } from '../http/operator-app.ts';
import { operatorFinder } from './operator.ts';
import type { SettingsParts } from './parts.ts';

/** What the HTTP API for commands is served with, besides the parts of its operations. */
export type OperatorApiParts = Pick<HttpApi, 'front' | 'site'> & {
  /** Finds the one that a command names. */
  organizations: Pick<OrganizationStore, 'list'>;
};

/** Operations that are loaded when a request needs them. `paths`: how theirs begin. */
export type LazyOperations<Parts> = { paths: RegExp; load(): Promise<readonly HandledOperation<Parts>[]> };

/** Each is loaded when a command asks for it, so that commands need not wait for the others. The first that fits counts. */
export const SETTINGS_FOR_COMMANDS: readonly LazyOperations<SettingsParts>[] = [
  settings('spend_limits?', async () => (await import('./alerts/api.ts')).SPEND_OPERATIONS),
  settings('projects/[^/]+/spend_limit', async () => (await import('./alerts/api.ts')).SPEND_OPERATIONS),
  settings('projects', async () => (await import('./projects/api.ts')).PROJECT_OPERATIONS),
  settings('admin_api_keys', async () => (await import('./admin-keys/api.ts')).ADMIN_KEY_OPERATIONS),
  settings('users', async () => (await import('./members/api.ts')).USER_OPERATIONS),
  settings('invites', async () => (await import('./invites/api.ts')).INVITE_OPERATIONS),
  settings('budgets', async () => (await import('./budgets/api.ts')).BUDGET_OPERATIONS),
  settings('limit_use', async () => (await import('./limits/use-api.ts')).LIMIT_USE_OPERATIONS),
  settings('audit_logs', async () => (await import('./audit/api.ts')).AUDIT_OPERATIONS),
  settings('providers', async () => (await import('./providers/api.ts')).PROVIDER_OPERATIONS),
  settings('products', async () => (await import('./products/api.ts')).PRODUCT_OPERATIONS),
  settings('price_overrides', async () => (await import('./prices/api.ts')).PRICE_OPERATIONS),
  settings('aliases', async () => (await import('./aliases/api.ts')).ALIAS_OPERATIONS),
  settings('routes', async () => (await import('./routes/api.ts')).ROUTE_OPERATIONS),
  operator('routes', async () => (await import('./operator-routes/api.ts')).OPERATOR_ROUTE_OPERATIONS),
  operator('api_keys', async () => (await import('./operator-keys/api.ts')).OPERATOR_KEY_OPERATIONS),
  operator('audit_log', async () => (await import('./audit/operator-api.ts')).AUDIT_VERIFICATION),
  operator('owner_links', async () => (await import('./sign-in/owner-links-api.ts')).OWNER_LINKS),
  operator('provider_keys', async () => (await import('./providers/rewrap-api.ts')).PROVIDER_KEY_WRAPPING),
  operator('sessions', async () => (await import('./sign-in/member-sessions-api.ts')).MEMBER_SESSIONS),
];

type Lazy = LazyOperations<SettingsParts>;

function settings(path: string, load: Lazy['load']): Lazy {
  return { paths: new RegExp(`^/v1/organization/${path}(?:[/?]|$)`), load };
}

/** Operations that the operator alone may call. They are in no other list. */
function operator(path: string, load: Lazy['load']): Lazy {
  return { paths: new RegExp(`^/v1/operator/${path}(?:[/?]|$)`), load };
}

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
    const list = this.#lists.find(({ paths }) => paths.test(asked.path));
    const operations = (await list?.load()) ?? [];
    if (list !== undefined && !this.#loaded.has(list)) {
      this.#loaded.add(list);
      for (const operation of operations) operation.serveWith(this.#served, this.#parts);
    }
    return this.#app.ask(asked);
  }
}
