import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { MAX_LIMIT_CENTS } from '../../src/core/money.ts';
import { askOperatorApi } from '../../src/http/ask-gateway.ts';
import { findOperatorSocket } from '../../src/http/operator-place.ts';
import { startMailServer } from '../../src/testing/mail-server.ts';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

let headgate: Running;
before(async () => {
  headgate = await startHeadgate();
});
after(() => headgate[Symbol.asyncDispose]());

async function run(...args: string[]): Promise<Record<string, unknown>> {
  const { code, json, stderr } = await headgate.command(...args, '--json');
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return json as Record<string, unknown>;
}

test('commands set up an organization as its API does, and the audit log tells of the operator', async () => {
  const project = await run('projects', 'create', 'search');
  assert.equal((await run('projects', 'rename', String(project.id), 'find')).name, 'find');
  const { key } = await run('keys', 'create', '--name', 'ci', '--project', String(project.id));
  const body = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
  assert.equal((await ask(`${headgate.url}/v1/chat/completions`, { key: String(key), body })).status, 200);

  const made = await run('admin-keys', 'create', '--name', 'terraform', '--expires', '90d');
  const client = new OpenAI({ adminAPIKey: String(made.value), apiKey: null, baseURL: `${headgate.url}/v1` });
  const { organization } = client.admin;
  const names = (await organization.projects.list()).data.map(({ name }) => name);
  assert.deepEqual(names, ['Default project', 'find']);
  assert.equal((await organization.projects.apiKeys.list(String(project.id))).data[0]?.name, 'ci');

  await run('budgets', 'set', '99.50', '--project', String(project.id));
  assert.equal((await organization.projects.spendLimit.retrieve(String(project.id))).threshold_amount, 9950);
  const [limit] = (await run('budgets', 'list')).data as Record<string, unknown>[];
  assert.deepEqual(
    { ...limit, resets_at: typeof limit?.resets_at },
    {
      ...{ id: `${project.id} spend`, object: 'organization.limit_use', project: { id: project.id, name: 'find' } },
      ...{ model: null, measure: 'spend_usd', limit: 99.5, used: 0, resets_at: 'number' },
    },
  );
  await run('budgets', 'set', 'none', '--project', String(project.id));
  assert.deepEqual((await run('budgets', 'list')).data, []);

  await run('projects', 'archive', String(project.id));
  const entries = (await run('audit', 'list')).data as { type: string; actor: { type: string } }[];
  assert.deepEqual(
    entries.map(({ type }) => type),
    [
      'project.archived',
      'spend_limit.deleted',
      'spend_limit.updated',
      'api_key.created',
      'api_key.created',
      'project.updated',
      'project.created',
    ],
  );
  assert.deepEqual([...new Set(entries.map(({ actor }) => actor.type))], ['operator']);
  assert.deepEqual(await run('audit', 'verify'), { entries: 7, fault: null });

  const page = await headgate.command('audit', 'list', '--limit', '5');
  const [, last = ''] = /^There are more. Add --after (\S+)\n$/.exec(page.stderr) ?? [];
  const rest = (await run('audit', 'list', '--after', last)).data as { type: string }[];
  assert.deepEqual(
    rest.map(({ type }) => type),
    ['project.updated', 'project.created'],
  );

  const kept = await client.admin.organization.auditLogs.list({ limit: 100 });
  assert.equal(JSON.stringify(kept).includes(String(key)), false);
  await run('admin-keys', 'revoke', String(made.id));
});

test('what commands do to a key stands in the audit log of its project', async () => {
  const { id } = await run('projects', 'create', 'audited');
  const key = String((await run('keys', 'create', '--name', 'audited', '--project', String(id))).id);
  await run('keys', 'edit', key, '--requests-per-minute', '7');
  await run('keys', 'rotate', key, '--overlap', '1h');
  await run('keys', 'revoke', key);
  const path = `/v1/organization/audit_logs?project_ids[]=${String(id)}&event_types[]=`;
  for (const type of ['created', 'updated', 'rotated', 'deleted']) {
    const { json } = await ask(`${headgate.url}${path}api_key.${type}`, { key: headgate.key });
    const [entry] = (json as { data: { project: object }[] }).data;
    assert.deepEqual(entry?.project, { id, name: 'audited' }, type);
  }
});

test('a list in which only what was asked for is missing does not say that there is nothing', async () => {
  const said = async (...args: string[]) => (await headgate.command(...args)).stdout;
  assert.equal(await said('audit', 'list', '--type', 'group.created'), 'No entries match.\n');
  assert.equal(await said('usage', 'list', '--model', 'nobody-knows'), 'No usage matches.\n');
});

test('what a project is called can be shown, and a limit that is taken away must be set', async () => {
  const refused: readonly [string[], number, RegExp][] = [
    [['projects', 'create', ''], 2, /^headgate projects create needs NAME: headgate projects create NAME\n$/],
    [['projects', 'create', ' '], 2, /^NAME must be 1 to 200 characters\.\n$/],
    [['projects', 'create', 'a\tb'], 2, /^NAME must not contain U\+0009/],
    [['projects', 'rename', 'proj_1', 'x'.repeat(201)], 2, /^NAME must be/],
    [['budgets', 'set', 'none'], 1, /^No spend limit is set here\.\n$/],
    [['budgets', 'set', '77', '--project', '..'], 2, /^“\.\.” is not a name or an id\.\n$/],
    [['budgets', 'list', '--organization', ' '], 1, /^There is no organization /],
    [['budgets', 'list', '--organization', 'ö→'], 1, /^There is no organization ö→\./],
  ];
  for (const [args, code, sentence] of refused) {
    const answer = await headgate.command(...args);
    assert.match(answer.stderr, sentence);
    assert.equal(answer.code, code);
  }
});

test('whose sessions are asked for must be there', async () => {
  for (const member of ['user_none', 'nobody@example.com']) {
    const { code, stderr } = await headgate.command('sessions', 'list', '--member', member);
    assert.deepEqual([code, stderr], [1, 'There is no user with this id.\n'], member);
  }
});

test('a key that a command makes while its project is archived is not there afterwards', async () => {
  const socket = findOperatorSocket(headgate.data) ?? '';
  const post = (path: string, body: object) =>
    askOperatorApi(socket, { method: 'POST', path, body: JSON.stringify(body), organizationId: null });
  const place = `${headgate.url}/v1/organization/projects`;
  for (let round = 0; round < 10; round += 1) {
    const project = (await ask(place, { key: headgate.key, body: { name: 'brief' } })).json as { id: string };
    const late = { name: 'late', project_id: project.id };
    await Promise.all([
      post('/v1/operator/api_keys', late),
      post(`/v1/organization/projects/${project.id}/archive`, {}),
      post('/v1/operator/api_keys', late),
    ]);
    const { data } = (await ask(`${place}/${project.id}/api_keys`, { key: headgate.key })).json as { data: object[] };
    assert.deepEqual(data, []);
  }
});

test('a month’s limit as high as there may be is set by a command, and written back over the API', async () => {
  await run('budgets', 'set', '9000000000');
  const limit = `${headgate.url}/v1/organization/spend_limit`;
  const { json } = await ask(limit, { key: headgate.key });
  const { threshold_amount, currency, interval } = json as Record<string, unknown>;
  assert.equal(threshold_amount, MAX_LIMIT_CENTS);
  const written = await ask(limit, { key: headgate.key, body: { threshold_amount, currency, interval } });
  assert.equal(written.status, 200, written.text);
  await run('budgets', 'set', 'none');
});

test('a budget with a name is made, changed, shown, given more for a while, and removed', async () => {
  const project = await run('projects', 'create', 'labs');
  const of = `organization:${String(await firstOrganization())},project:${String(project.id)}`;
  const made = await run(
    'budgets',
    'set',
    '50',
    '--name',
    'research',
    '--of',
    of,
    '--per',
    'week',
    '--alerts',
    '0.5,0.8',
  );
  assert.deepEqual([made.amount_usd, made.interval, made.hard, made.alerts], ['50', 'week', true, [0.5, 0.8]]);
  const changed = await run(
    'budgets',
    'set',
    '60.123456789',
    '--name',
    'research',
    '--soft',
    '--mail',
    'a@example.com',
  );
  assert.deepEqual(
    [changed.id, changed.amount_usd, changed.interval, changed.hard, changed.recipients, changed.version],
    [made.id, '60.123456789', 'week', false, ['a@example.com'], 2],
  );
  await run('budgets', 'set', '60', '--name', 'research', '--hard', '--instead', 'echo');
  const more = await run('budgets', 'override', 'research', '50', '--until', '3d');
  assert.deepEqual([more.limit_usd, more.spent_usd], ['110', '0']);
  const [listed] = (await run('budgets', 'list')).data as Record<string, unknown>[];
  assert.deepEqual(listed, more);
  await Promise.all(['1', '2'].map((usd) => run('budgets', 'override', 'research', usd, '--until', '3d')));
  const [raised] = (await run('budgets', 'list')).data as Record<string, unknown>[];
  assert.equal(raised?.limit_usd, '113');
  const shown = await headgate.command('budgets', 'list');
  assert.match(shown.stdout, /research +the organization, project proj_\w+ +\$113\.00 a week +\$0\.00 +20\d\d-/);
  await run('budgets', 'remove', 'research');
  assert.deepEqual((await run('budgets', 'list')).data, []);
});

test('who is invited by a command gets the link by mail, from the gateway that runs', async () => {
  const server = await startMailServer();
  await using gateway = await startHeadgate({
    config: `mail: { smtp_url: "${server.url}", from: gate@example.com }\n`,
  });
  const invite = async (email: string) => {
    const { code, json, stderr } = await gateway.command('invites', 'create', email, '--json');
    assert.equal(code, 0, stderr);
    return { ...(json as { invite_link: string; mail: string }), stderr };
  };
  const sent = await invite('ada@example.com');
  assert.equal(sent.mail, 'sent');
  assert.match(sent.stderr, /It was mailed to ada@example\.com too\./);
  assert.deepEqual(server.mails[0]?.to, ['ada@example.com']);
  assert.ok(server.mails[0]?.text.includes(sent.invite_link));

  server.refuseWith('550 no such person');
  const refused = await invite('bob@example.com');
  assert.equal(refused.mail, 'failed');
  assert.match(refused.stderr, /could not be mailed to bob@example\.com .*\. Send it yourself\./);
  server.refuseWith(null);

  await gateway.stop();
  const alone = await invite('eve@example.com');
  assert.equal(alone.mail, 'off');
  assert.match(alone.stderr, /It was not mailed: no gateway is running on this data\./);
  assert.equal(server.mails.length, 1);
  await server.close();
});

test('people are invited, listed, made owners and taken out by commands', async () => {
  const made = await run('invites', 'create', 'Ada@Example.com');
  assert.partialDeepStrictEqual(made, { email: 'ada@example.com', role: 'reader', accepted_at: null });
  assert.ok(!('invite_token' in made), 'the secret is shown once');
  const link = new URL(String(made.invite_link));
  const opened = await fetch(`${link.origin}/v1/auth/link/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: link.origin },
    body: JSON.stringify({
      link: link.hash.slice(1),
      email: 'ada@example.com',
      name: 'Ada',
      password: 'correct horse battery',
    }),
  });
  assert.equal(opened.status, 200, await opened.text());
  const [ada] = (await run('members', 'list')).data as { id: string; email: string; role: string }[];
  assert.deepEqual([ada?.email, ada?.role], ['ada@example.com', 'reader']);
  assert.equal((await run('members', 'edit', ada!.id, '--role', 'owner')).role, 'owner');
  const last = await headgate.command('members', 'remove', ada!.id);
  assert.match(last.stderr, /last owner/);
  await run('members', 'edit', ada!.id, '--role', 'owner');
  const spare = await run('invites', 'create', 'bob@example.com');
  await run('invites', 'revoke', String(spare.id));
  const states = (await run('invites', 'list')).data as { email: string; accepted_at: number | null }[];
  assert.deepEqual(
    states.map(({ email, accepted_at }) => [email, accepted_at !== null]),
    [['ada@example.com', true]],
  );
});

test('what cannot be done is said in a sentence', async () => {
  for (const [args, words] of [
    [['projects', 'archive', 'proj_none'], /There is no project with this id/],
    [['projects', 'archive', `proj_00_${await firstOrganization()}`], /The default project cannot be archived/],
    [['budgets', 'set', '1.005'], /whole cents/],
    [['projects', 'rename', 'x'], /needs NAME: headgate projects rename ID NAME$/m],
    [
      ['provider-keys', 'add', 'x', '--name', 'y'],
      /--key-env: headgate \S+ add PROVIDER --name NAME --key-env VARIABLE$/m,
    ],
    [['budgets', 'set', '9000000000.01'], /USD must be at most 9000000000\./],
    [['keys', 'create', '--name', 'x', '--project', 'proj_none'], /There is no project with this id/],
    [['budgets', 'set', '5', '--per', 'week'], /--per belongs to a named budget/],
    [['budgets', 'set', '5', '--name', 'x', '--of', 'group:none'], /--of names no group of this organization/],
    [['budgets', 'set', '5', '--name', 'x', '--of', 'team'], /--of must name holders/],
    [['budgets', 'set', '5', '--name', 'x', '--per', 'year'], /--per must be one of/],
    [['budgets', 'set', '5', '--name', 'x', '--instead', 'nobody-knows'], /--instead is not a model or route/],
    [['audit', 'list', '--after', 'nope'], /^--after is no entry of the audit log of this organization\.$/m],
    [['budgets', 'set', '5', '--name', 'x', '--alerts', '0'], /--alerts must be a fraction/],
    [['budgets', 'override', 'none', '5', '--until', '3d'], /There is no budget “none”/],
    [['budgets', 'override', 'none', '5', '--until', '2020-01-01'], /--until must be/],
    [['budgets', 'remove', 'none'], /There is no budget “none”/],
  ] as const) {
    const { code, stderr } = await headgate.command(...args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, words);
  }
});

async function firstOrganization(): Promise<unknown> {
  const [key] = (await run('keys', 'list')).data as { organization_id?: string; organization?: string }[];
  return key?.organization_id ?? key?.organization;
}

test('a date of --expires is exact, for admin keys and for products', async () => {
  const end = Date.UTC(2099, 0, 31) / 1000;
  const expires = ['--expires', '2099-01-31'];
  const { expires_at, value: key } = await run('admin-keys', 'create', '--name', 'until', ...expires);
  assert.equal(expires_at, end);
  const { api_key: made } = await run('products', 'create', 'until', '--routes', 'echo', ...expires);
  assert.equal((made as { expires_at: number }).expires_at, end);
  const products = `${headgate.url}/v1/organization/products`;
  for (const body of [{ expires_at: 1 }, { expires_at: end, expires_in_seconds: 5 }]) {
    const { status, json } = await ask(products, { key: String(key), body: { id: 'x', ...body } });
    assert.equal(status, 400);
    assert.equal((json as { error: { param: string } }).error.param, 'expires_at');
  }
});

test('the limit of an archived project is listed by a command', async () => {
  const project = await run('projects', 'create', 'done');
  await run('budgets', 'set', '7', '--project', String(project.id));
  await run('projects', 'archive', String(project.id));
  const { data } = (await run('budgets', 'list')) as { data: { id: string; measure?: string; limit?: number }[] };
  const limit = data.find(({ id }) => id === `${project.id} spend`);
  assert.partialDeepStrictEqual(limit, { measure: 'spend_usd', limit: 7 });
});
