import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { z } from 'zod';
import { isGrave } from '../../src/api/operation.ts';
import { ORGANIZATION_OPERATIONS } from '../../src/organization/all-resources.ts';
import { type Answer, ask, errorOf } from '../http/client.ts';
import { BODIES, type Fixture, makeFixture, type Setting } from './fixture.ts';
import { ACME, allOf, type Company, type Hired, startCompany } from './lab.ts';

/** What holds of every operation that changes something, asked of each as it stands in the list of operations. */
let company: Company;
let owner: Hired;
let setting: Setting;
let fixture: Fixture;

before(async () => {
  company = await startCompany({
    config: 'limits: { requests_per_minute: 1000000 }\nserver: { webhook_hosts: [127.0.0.1] }\n',
  });
  owner = await company.hire('owner', 'owner');
  const [one, two] = [(await company.hire('a')).id, (await company.hire('b')).id];
  setting = { company, organizationId: ACME, key: owner.key, inProject: { owner: one, member: two } };
  fixture = await makeFixture(setting);
});
after(() => company[Symbol.asyncDispose]());

const CHANGING = ORGANIZATION_OPERATIONS.filter(({ method }) => method !== 'GET');
const WITH_BODY = CHANGING.filter(({ body }) => body !== undefined);
type Changing = (typeof CHANGING)[number];

function send({ path, method }: Changing, body: object): Promise<Answer> {
  const asked = path.replaceAll(/\{(\w+)\}/g, (_: string, param: string) => {
    if (param === 'alert_id' && !path.includes('{project_id}')) return fixture.organization_alert_id!;
    if (param === 'role_id' && path.startsWith('/v1/projects/{project_id}/roles')) return fixture.project_role_id!;
    return fixture[param]!;
  });
  return ask(`${company.headgate.url}${asked}`, { method, key: owner.key, body });
}

/** A call may have members of tomorrow; what is wrong with a draft is what a check of it answers. */
const OPEN = ['call'];
const CHECKED = ['checkRoute'];

/** The body once for each object in it, each time with a member in that object which nothing knows. */
function withSurprise(body: unknown, path: readonly string[] = []): { body: unknown; param: string }[] {
  if (typeof body !== 'object' || body === null) return [];
  const own = Array.isArray(body) ? [] : [{ body: { ...body, surprise: 1 }, param: [...path, 'surprise'].join('.') }];
  const within = Object.entries(body)
    .filter(([name]) => !OPEN.includes(name))
    .flatMap(([name, value]) =>
      withSurprise(value, [...path, name]).map((inside) => ({
        ...inside,
        body: Array.isArray(body) ? body.with(Number(name), inside.body) : { ...body, [name]: inside.body },
      })),
    );
  return [...own, ...within];
}

describe('a member that is not known is refused with its name, wherever in the body it is', () => {
  for (const operation of WITH_BODY) {
    test(operation.id, async () => {
      for (const { body, param } of withSurprise(BODIES[operation.id]!(fixture))) {
        if (CHECKED.includes(operation.id) && param !== 'surprise') continue;
        const answer = await send(operation, body as object);
        assert.equal(answer.status, 400, `${param}: ${answer.text}`);
        assert.equal(errorOf(answer).param, param);
        assert.ok(String(errorOf(answer).message).includes(param), answer.text);
      }
    });
  }
});

/** The body once for each member of it, with something there that is of no type which it could be. */
function withWrongType(body: object): { body: object; param: string }[] {
  return Object.keys(body)
    .filter((name) => !OPEN.includes(name))
    .map((name) => ({ body: { ...body, [name]: [[{}]] }, param: name }));
}

describe('a member of another type is refused in words that say which it must be', () => {
  for (const operation of WITH_BODY) {
    test(operation.id, async () => {
      for (const { body, param } of withWrongType(BODIES[operation.id]!(fixture))) {
        const answer = await send(operation, body);
        assert.equal(answer.status, 400, `${param}: ${answer.text}`);
        const { message, param: told } = errorOf(answer);
        assert.ok(String(told).startsWith(param), answer.text);
        assert.doesNotMatch(String(message), /Invalid input|expected|received|undefined/, answer.text);
      }
    });
  }
});

describe('who changes another version than they have read is told so, and changes nothing', () => {
  for (const operation of WITH_BODY.filter(({ id }) => id.startsWith('update'))) {
    test(operation.id, async () => {
      const shape = (operation.body!.schema as z.ZodObject).shape;
      assert.ok('if_version' in shape, 'it takes no `if_version`');
      const count = async () => (await allOf(owner.client.admin.organization.auditLogs.list({ limit: 100 }))).length;
      const before = await count();
      const answer = await send(operation, { ...BODIES[operation.id]!(fixture), if_version: 99_999 });
      assert.deepEqual([answer.status, errorOf(answer).code], [409, 'conflict'], answer.text);
      assert.equal(await count(), before);
    });
  }
});

describe('the version that was read is the one that may be changed, once', () => {
  const project = () => `/organization/projects/${fixture.project_id}`;
  const email = { type: 'email', recipients: ['a@example.com'] };
  const money = { currency: 'USD', interval: 'month', threshold_amount: 5_000 };
  const RETENTION = { retention_type: 'zero_data_retention' };
  const limits = (list: object) => {
    const { data } = list as { data: { id: string; version: number }[] };
    return data.find(({ id }) => id === fixture.rate_limit_id)!;
  };
  const cases: Record<string, () => { path: string; body: object; list?: string; of?: typeof limits }> = {
    'a key': () => ({ path: `${project()}/api_keys/${fixture.api_key_id}`, body: { name: 'z' } }),
    'models of a project': () => ({
      path: `${project()}/model_permissions`,
      body: { mode: 'deny_list', model_ids: ['x'] },
    }),
    'a limit of a model': () => ({
      path: `${project()}/rate_limits/${fixture.rate_limit_id}`,
      list: `${project()}/rate_limits`,
      of: limits,
      body: { max_tokens_per_1_minute: 7 },
    }),
    'what an organization may spend': () => ({ path: '/organization/spend_limit', body: money }),
    'what a project may spend': () => ({ path: `${project()}/spend_limit`, body: money }),
    'an alert': () => ({
      path: `${project()}/spend_alerts/${fixture.alert_id}`,
      body: { ...money, notification_channel: email },
    }),
    'how long an organization’s calls are kept': () => ({ path: '/organization/data_retention', body: RETENTION }),
    'how long a project’s calls are kept': () => ({ path: `${project()}/data_retention`, body: RETENTION }),
  };
  for (const [name, of] of Object.entries(cases)) {
    test(name, async () => {
      const { path, body, list = path, of: pick = (json: object) => json as { version: number } } = of();
      const url = `${company.headgate.url}/v1`;
      const read = async () => pick((await ask(`${url}${list}`, { key: owner.key })).json as object).version;
      const if_version = await read();
      const change = () => ask(`${url}${path}`, { key: owner.key, body: { ...body, if_version } });
      const first = await change();
      assert.equal(first.status, 200, first.text);
      assert.equal((first.json as { version: number }).version, if_version + 1);
      assert.equal(await read(), if_version + 1);
      assert.equal((await change()).status, 409);
    });
  }
});

test('whatever is deleted, and whatever decides who may what, wants a recent sign-in', () => {
  const decides = /^(assign|unassign|add|remove|createInvite|(create|update)\w*Role$|\w*Provider|updateUser$)/;
  for (const operation of CHANGING.filter(({ id, method }) => method === 'DELETE' || decides.test(id)))
    assert.ok(isGrave(operation), operation.id);
});
