import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { z } from 'zod';
import { ORGANIZATION_OPERATIONS } from '../../src/organization/all-resources.ts';
import { ask, errorOf } from '../http/client.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { BODIES, type Fixture, makeFixture, type Setting } from './fixture.ts';
import { hostileStrings } from './hostile-strings.ts';
import { ACME, type Company, startCompany } from './lab.ts';

type Place = readonly (string | number)[];
type Def = {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
  shape?: Record<string, z.ZodType>;
};

/** What names somebody or something that must be there: a 404 says what is not. */
const NAMES_SOMETHING = [
  'user_id',
  'group_id',
  'role_id',
  'service_account_id',
  'email',
  'role',
  'projects.0.id',
  'groups.0',
  'provider_id',
  'credential_id',
  'product_id',
  'alias_id',
  'price_override_id',
  'model_id',
  'project_id',
  'api_key_id',
  'version_id',
  'version_in_force',
  'canary.version_id',
];
/** Of each of these a body may have one. */
const ONE_OF = [
  ['user_id', 'service_account_id', 'email'],
  ['definition', 'yaml', 'version_id'],
];
/** How many of the strings stand in each place of each path, too. */
const IN_PATHS = 10;
const AT_ONCE = 8;
/** What is accepted and not shown again. */
const NOT_SHOWN = [
  'createProject: residency',
  'createServiceAccountKey: scopes.0',
  /^testProvider: /,
  /^\w+Provider\w*: (credentials\.0\.)?key$/,
  'createRoute: note',
  'checkRoute: id',
  'checkRoute: yaml',
];
/** What is made of which there may be few, or which is called by a string that later stands in paths: it goes again. */
const FEW = [
  'createBudget',
  'createProvider',
  'createProviderCredential',
  'createRoute',
  'createAlias',
  'createProduct',
];

/** Each text gets one string of so many, and the next text another one. In a nightly run each text gets all. */
const SHARE = IS_NIGHTLY ? 1 : 16;
let texts = 0;

const STRINGS = hostileStrings();
let company: Company;
let setting: Setting;
let fixture: Fixture;
let key: string;

before(async () => {
  company = await startCompany({
    config: 'limits: { requests_per_minute: 1000000 }\nserver: { webhook_hosts: [127.0.0.1] }\n',
  });
  key = (await company.hire('owner', 'owner')).key;
  const [owner, member] = [(await company.hire('a')).id, (await company.hire('b')).id];
  setting = { company, organizationId: ACME, key, inProject: { owner, member } };
  fixture = await makeFixture(setting);
});
after(() => company[Symbol.asyncDispose]());

/** The places in a body at which text may stand. */
function textsOf(schema: z.ZodType, place: Place = []): Place[] {
  const { type, innerType, in: read, element, shape } = schema.def as unknown as Def;
  if (type === 'string') return [place];
  if (innerType !== undefined) return textsOf(innerType, place);
  if (read !== undefined) return textsOf(read, place);
  if (element !== undefined) return textsOf(element, [...place, 0]);
  return Object.entries(shape ?? {}).flatMap(([name, each]) => textsOf(each, [...place, name]));
}

function withText(id: string, place: Place, text: string): object {
  const body = BODIES[id]!(fixture);
  const changed = structuredClone(body) as Record<string, unknown>;
  const [first] = place;
  if (place[1] === 0 && place.length === 3 && (first === 'models' || first === 'only')) changed[first] = [{ id: 'm' }];
  if (id === 'updateProvider') {
    if (first === 'only') changed.models = null;
    if (first === 'models') changed.only = null;
    if (first === 'base_url' || first === 'credentials') changed.credentials = [{ key: 'sk-lab' }];
  }
  for (const name of ONE_OF.find((names) => names.includes(first as string)) ?? []) delete changed[name];
  let at = changed as Record<string | number, unknown>;
  for (const [index, step] of place.slice(0, -1).entries()) {
    at[step] ??= typeof place[index + 1] === 'number' ? [] : {};
    at = at[step] as Record<string | number, unknown>;
  }
  at[place.at(-1)!] = text;
  return changed;
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) yield* stringsIn(each);
}

async function forget(url: string): Promise<void> {
  assert.equal((await ask(url, { method: 'DELETE', key })).status, 200);
}

async function each<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

describe('a hostile string is refused with the name of its field, or kept and given back as it is', () => {
  for (const { id, method, path, body } of ORGANIZATION_OPERATIONS) {
    if (body === undefined) continue;
    for (const place of textsOf(body.schema)) {
      const param = place.join('.');
      texts += 1;
      const strings = STRINGS.filter((_, index) => (index + texts) % SHARE === 0);
      test(`${id}: ${param}`, async () => {
        // An update may take its keys away, which are tried too.
        const { provider_id: own } = id === 'updateProvider' ? await makeFixture(setting) : fixture;
        const url = company.headgate.url + filled(path, { provider_id: own! });
        // Whatever names something else is shown as what it names.
        const isNamed = (each: string | RegExp) => `${id}: ${param}`.search(each) === 0;
        const isNotShown = NOT_SHOWN.some(isNamed) || NAMES_SOMETHING.includes(param);
        // Of changes that are made to one thing at once, one is too late.
        const atOnce = /^update|^createRouteVersion$/.test(id) || FEW.includes(id) ? 1 : AT_ONCE;
        await each(strings, atOnce, async (text) => {
          const sent = withText(id, place, text);
          const answer = await ask(url, { method, key, body: sent });
          const shown = `${JSON.stringify(text.slice(0, 40))}: ${answer.text.slice(0, 300)}`;
          if (answer.status === 400) assert.equal(errorOf(answer).param, param, shown);
          else if (answer.status === 404) assert.ok(NAMES_SOMETHING.includes(param), shown);
          else {
            assert.equal(answer.status, 200, shown);
            if (FEW.includes(id)) await forget(`${url}/${encodeURIComponent((answer.json as { id: string }).id)}`);
            // Spaces around a name go, and addresses for mail are in lower case.
            const kept = [text, text.trim(), text.toLowerCase()];
            // The name of a model that a provider was given before is shown with that.
            const isShown = (found: string) => kept.includes(found) || found.endsWith(`/${text}`);
            assert.ok(isNotShown || [...stringsIn(answer.json)].some(isShown), shown);
          }
        });
      });
    }
    test(`${id}: members that are not known are refused with their name`, async () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'a"b', '\u202e', '']) {
        const text = JSON.stringify(BODIES[id]!(fixture))
          .replace('{', `{${JSON.stringify(name)}:{"x":1},`)
          .replace(',}', '}');
        const answer = await ask(company.headgate.url + filled(path), {
          method,
          key,
          body: text,
          headers: { 'content-type': 'application/json' },
        });
        assert.deepEqual([answer.status, errorOf(answer).param], [400, name], `${name}: ${answer.text}`);
      }
    });
  }
});

describe('a hostile string in a path is nothing that there is', () => {
  const sendable = STRINGS.filter((text) => text.isWellFormed() && text.length > 0 && text.length <= 1000);
  const chosen = sendable.filter((_, index) => index % Math.ceil(sendable.length / IN_PATHS) === 0);
  for (const { id, method, path } of ORGANIZATION_OPERATIONS) {
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'rate_limit_id');
    if (params.length === 0) continue;
    test(id, async () => {
      for (const param of params) {
        await each(chosen, AT_ONCE, async (text) => {
          const url = company.headgate.url + filled(path, { [param]: encodeURIComponent(text) });
          const body = BODIES[id]?.(fixture);
          const { status, text: answer } = await ask(url, { method, key, ...(body !== undefined && { body }) });
          assert.ok([404, 405].includes(status), `${JSON.stringify(text)}: ${status} ${answer}`);
        });
      }
    });
  }
});

function filled(path: string, instead: Fixture = {}): string {
  const own = (param: string) => {
    if (param === 'alert_id' && !path.includes('{project_id}')) return fixture.organization_alert_id!;
    if (param === 'role_id' && path === '/v1/projects/{project_id}/roles/{role_id}') return fixture.project_role_id!;
    return fixture[param]!;
  };
  return path.replaceAll(/\{(\w+)\}/g, (_: string, param: string) => instead[param] ?? own(param));
}
