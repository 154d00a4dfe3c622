import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Running, startHeadgate } from '../support/headgate.ts';

/** A `*` would look like a pattern, and fit no name: it is refused with its field, whichever way it comes. */

type Refusal = readonly [path: string, body: object, param: string];

const BUDGET = { name: 'b', amount_usd: '5', holders: [{ type: 'organization' }] };
const OWN = { id: 'own', base_url: 'https://vendor.example/v1' };
const PRICE = { input_per_1m: 1, output_per_1m: 2 };

/** What an administrator cannot send; `project`: an id. */
const refusals = (project: string): readonly Refusal[] => [
  ['/projects/default/api_keys', { name: 'k', allowed_models: ['echo', 'openai/*'] }, 'allowed_models.1'],
  ['/projects/default/model_permissions', { mode: 'allow_list', model_ids: ['*'] }, 'model_ids.0'],
  ['/projects/default/model_permissions', { mode: 'deny_list', model_ids: ['echo', 'openai/*'] }, 'model_ids.1'],
  [`/projects/${project}/rate_limits/rate_limit_*`, { max_requests_per_1_minute: 5 }, 'rate_limit_id'],
  [`/projects/${project}/rate_limits/rate_limit_ech%2A`, { max_tokens_per_1_minute: 5 }, 'rate_limit_id'],
  ['/aliases', { id: 'gpt-*', target: 'echo' }, 'id'],
  ['/aliases', { id: 'mine', target: 'ech*' }, 'target'],
  ['/budgets', { ...BUDGET, models: ['echo', 'ech*'] }, 'models.1'],
  ['/budgets', { ...BUDGET, instead: '*' }, 'instead'],
  ['/routes', { id: 'r*', definition: { targets: ['echo'] } }, 'id'],
  ['/products', { id: 'p', routes: ['echo', '*'] }, 'routes.1'],
  ['/price_overrides', { model: 'openai/*', price: PRICE }, 'model'],
  ['/price_overrides', { model: 'open*/gpt-4o', price: PRICE }, 'model'],
  ['/price_overrides', { model: '*', price: PRICE }, 'model'],
  ['/providers', { ...OWN, only: [{ id: '*' }] }, 'only.0.id'],
  ['/providers', { ...OWN, models: [{ id: 'x', upstream: 'x*' }] }, 'models.0.upstream'],
];

/** What the definition of a route cannot have, beside its targets. */
const DEFINITIONS: readonly [definition: object, param: string][] = [
  [{ targets: ['echo/*'] }, 'targets[0]'],
  [{ targets: [{ model: '*' }] }, 'targets[0].model'],
  [{ fallbacks: ['*'] }, 'fallbacks[0]'],
  [{ context_window_fallbacks: ['ech*'] }, 'context_window_fallbacks[0]'],
  [{ content_policy_fallbacks: ['*'] }, 'content_policy_fallbacks[0]'],
  [{ strategy: [{ rules: [{ when: {}, use: ['*'] }] }] }, 'strategy[0].rules[0].use[0]'],
  [{ defaults: { 'temp*': 1 } }, 'defaults.temp*'],
  [{ force: { '*': 1 } }, 'force.*'],
];

for (const layer of ['fast', 'node']) {
  describe(`with the HTTP layer ${layer}`, () => {
    let headgate: Running;
    before(async () => {
      headgate = await startHeadgate({ env: { HEADGATE_HTTP_LAYER: layer } });
    });
    after(() => headgate[Symbol.asyncDispose]());

    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${headgate.url}/v1/organization${path}`, {
        ...init,
        headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
      });

    async function refuse([path, body, param]: Refusal): Promise<void> {
      const response = await call(path, { method: 'POST', body: JSON.stringify(body) });
      const { error } = (await response.json()) as { error?: { param: unknown; message: string } };
      const what = `${path} ${JSON.stringify(body)} ${error?.message}`;
      assert.deepEqual([response.status, error?.param], [400, param], what);
      assert.match(error?.message ?? '', /\*/);
    }

    test('over HTTP', async () => {
      const { data } = (await (await call('/projects')).json()) as { data: { id: string }[] };
      for (const each of refusals(data[0]!.id)) await refuse(each);
      for (const [definition, param] of DEFINITIONS) {
        const whole = { targets: ['echo'], ...definition };
        await refuse(['/routes', { id: 'r', definition: whole }, `definition.${param}`]);
      }
      const limit = `/projects/${data[0]!.id}/rate_limits/rate_limit_echo`;
      const kept = await call(limit, { method: 'POST', body: JSON.stringify({ max_requests_per_1_minute: 500 }) });
      assert.equal(kept.status, 200, await kept.text());
    });

    test('where something is changed', async () => {
      for (const [path, body] of [
        ['/aliases', { id: 'mine', target: 'echo' }],
        ['/products', { id: 'p', routes: ['echo'] }],
      ] as const) {
        const made = await call(path, { method: 'POST', body: JSON.stringify(body) });
        assert.equal(made.status, 200, await made.text());
      }
      const made = await call('/budgets', { method: 'POST', body: JSON.stringify(BUDGET) });
      const { id } = (await made.json()) as { id: string };
      await refuse(['/aliases/mine', { target: 'ech*' }, 'target']);
      await refuse(['/products/p', { routes: ['echo', '*'] }, 'routes.1']);
      await refuse([`/budgets/${id}`, { models: ['*'] }, 'models.0']);
    });
  });
}

describe('without HTTP', () => {
  let headgate: Running;
  before(async () => {
    headgate = await startHeadgate();
  });
  after(() => headgate[Symbol.asyncDispose]());

  test('from a command', async () => {
    const { code, stderr } = await headgate.command('keys', 'create', '--name', 'k', '--models', 'openai/*');
    assert.notEqual(code, 0);
    assert.match(stderr, /--models/);
    assert.match(stderr, /\*/);
  });

  test('in the file', async () => {
    const parts: readonly [part: string, field: RegExp][] = [
      ['aliases: { "gpt-*": echo }', /aliases\.gpt-\*: must be a name/],
      ['aliases: { mine: "ech*" }', /aliases\.mine: must be a name/],
      ['routes: { r: { targets: ["echo/*"] } }', /routes\.r\.targets.*must be a name/],
      ['routes: { r: { targets: [echo], fallbacks: ["*"] } }', /routes\.r\.fallbacks.*must be a name/],
      ['routes: { r: { targets: [echo], defaults: { "*": 1 } } }', /routes\.r\.defaults\.\*: is not a setting/],
      ['routes: { "r*": { targets: [echo] } }', /routes\.r\*: must be a name/],
      ['models: { "openai/*": { context_window: 5 } }', /models\.openai\/\*: must be a provider/],
      ['products: { p: { routes: ["*"] } }', /products\.p\.routes.*must be a name/],
      ['providers: { openai: { api_key: k, only: ["gpt-*"] } }', /providers\.openai\.only.*must be a name/],
    ];
    for (const [part, field] of parts) {
      assert.match(await headgate.reload(`${part}\n`), /was not reloaded/, part);
      await headgate.waitForLine(field);
    }
  });
});
