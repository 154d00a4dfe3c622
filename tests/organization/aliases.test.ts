import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';
import { documentedFetch } from './documented.ts';

const CONFIG = `aliases:
  # a line of its own
  of-file: echo
routes: { acme/fast: { targets: [echo, not-yet] } }
limits: { requests_per_minute: 1000000 }
`;
const ALIASES = '/organization/aliases';

type Alias = {
  id: string;
  target: string;
  leads_to: string | null;
  off: string | null;
  origin: string;
  set_in: unknown;
  version: number | null;
};

let headgate: Running;
let admin: OpenAI;
before(async () => {
  headgate = await startHeadgate({ config: CONFIG, args: ['--workers', '2'] });
  const fetch = await documentedFetch(headgate.url);
  const keys = { adminAPIKey: headgate.key, apiKey: headgate.key };
  admin = new OpenAI({ ...keys, baseURL: `${headgate.url}/v1`, maxRetries: 0, fetch });
});
after(() => headgate[Symbol.asyncDispose]());

const post = (path: string, body: object) => admin.post<Alias>(path, { body });
const get = <T = Alias>(path: string) => admin.get<T>(path);

/** Asks until calls in a row, of each process, have this status. */
async function untilAll(status: number, model: string): Promise<void> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const answers = [];
    for (let each = 0; each < 4; each += 1) answers.push(await ask(headgate, '/v1/chat/completions', chat(model)));
    if (answers.every((answer) => answer.status === status)) return;
    assert.ok(performance.now() < end, answers.map(({ status: is, text }) => `${is} ${text}`).join('\n'));
    await nextPoll();
  }
}

test('an alias is made, called in every process, listed, led elsewhere and deleted', async () => {
  const made = await post(ALIASES, { id: 'team/fast', target: 'acme/fast' });
  assert.deepEqual([made.leads_to, made.origin, made.version, made.off], ['acme/fast', 'settings', 1, null]);
  const one = `${ALIASES}/${encodeURIComponent('team/fast')}`;
  await untilAll(200, 'team/fast');
  const { aliases } = await get<{ aliases: string[] }>('/models/catalog/acme%2Ffast');
  assert.deepEqual(aliases, ['team/fast']);
  const through = await post(ALIASES, { id: 'faster', target: 'team/fast' });
  assert.equal(through.leads_to, 'acme/fast');
  await untilAll(200, 'faster');
  await assert.rejects(post(one, { target: 'faster' }), { status: 400, param: 'target', message: /forms a cycle/ });

  const moved = await post(one, { target: 'gone', if_version: 1 });
  assert.deepEqual([moved.version, moved.leads_to], [2, null]);
  assert.equal((await get(`${ALIASES}/faster`)).leads_to, null);
  await untilAll(404, 'faster');
  await assert.rejects(post(one, { target: 'echo', if_version: 1 }), { status: 409 });
  await post(one, { target: 'echo' });
  await untilAll(200, 'faster');
  await admin.delete(one);
  await untilAll(404, 'team/fast');
  await assert.rejects(get(one), { status: 404 });
  const { data: log } = await get<{ data: { type: string }[] }>('/organization/audit_logs?limit=100');
  const types = new Set(log.map(({ type }) => type));
  for (const type of ['alias.created', 'alias.updated', 'alias.deleted']) assert.ok(types.has(type), type);
});

test('aliases of the file are shown with their line, and changed there', async () => {
  const ofFile = await get(`${ALIASES}/of-file`);
  assert.deepEqual([ofFile.origin, ofFile.set_in, ofFile.version], ['file', { file: 'headgate.yaml', line: 3 }, null]);
  const where = /an alias of this name is set in headgate.yaml, line 3/;
  await assert.rejects(post(ALIASES, { id: 'of-file', target: 'echo' }), { status: 400, param: 'id', message: where });
  await assert.rejects(post(`${ALIASES}/of-file`, { target: 'echo' }), { status: 400, message: where });
  await assert.rejects(admin.delete(`${ALIASES}/of-file`), { status: 400, message: where });
});

test('a name that something else has, and what leads back, is refused with the member’s name', async () => {
  await post(ALIASES, { id: 'there', target: 'echo' });
  await post('/organization/routes', { id: 'stored', definition: { targets: ['echo'] } });
  const cases: readonly [object, string][] = [
    [{ id: 'there', target: 'echo' }, 'id'],
    [{ id: 'echo', target: 'acme/fast' }, 'id'],
    [{ id: 'acme/fast', target: 'echo' }, 'id'],
    [{ id: 'stored', target: 'echo' }, 'id'],
    [{ id: 'system', target: 'echo' }, 'id'],
    [{ id: 'not-yet', target: 'echo' }, 'id'],
    [{ id: 'a name', target: 'echo' }, 'id'],
    [{ id: 'x', target: 'a name' }, 'target'],
    [{ id: 'x', target: 'x' }, 'target'],
    [{ id: 'x', target: 'echo', weight: 1 }, 'weight'],
  ];
  for (const [body, param] of cases) {
    await assert.rejects(post(ALIASES, body), { status: 400, param }, JSON.stringify(body));
  }
  await untilAll(200, 'there');
  const taken = { id: 'there', definition: { targets: ['echo'] } };
  await assert.rejects(post('/organization/routes', taken), { status: 400, message: /has the name of an alias/ });
});

test('lists are paged; commands show, set and remove aliases', async () => {
  const page = await get<{ data: Alias[]; has_more: boolean }>(`${ALIASES}?limit=1&after=of-`);
  assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [['of-file'], true]);
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await headgate.command('aliases', ...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  assert.equal(await done('set', 'typed', 'acme/fast'), 'typed leads to acme/fast.\n');
  await untilAll(200, 'typed');
  assert.match(await done('list'), /of-file +echo +echo +headgate\.yaml, line 3/);
  assert.match(await done('list'), /typed +acme\/fast +acme\/fast +settings/);
  await done('set', 'typed', 'gone');
  await untilAll(404, 'typed');
  await done('remove', 'typed');
  const refused = await headgate.command('aliases', 'set', 'echo', 'acme/fast');
  assert.deepEqual([refused.code, refused.stderr], [2, 'NAME is the name of a model.\n']);
});
