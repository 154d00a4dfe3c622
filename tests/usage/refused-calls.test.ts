import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import { nextPoll } from '../../src/testing/wait.ts';
import { type Answer, ask } from '../http/client.ts';
import { documentedFetch } from '../organization/documented.ts';
import { type Company, type Hired, startCompany, UMBRELLA } from '../organization/lab.ts';

const CONFIG = `
providers:
  lab: { base_url: "http://127.0.0.1:9", api_key: lab-key, only: [{ id: dear, price: { input_per_1m: 10, output_per_1m: 20 } }] }
`;
const HI = { messages: [{ role: 'user', content: 'Hello' }] };

type Shown = Record<string, unknown> & { request_id: string };

for (const workers of [1, 2]) {
  describe(`refused calls, with ${workers} ${workers === 1 ? 'process' : 'processes'}`, () => {
    let company: Company;
    let owner: Hired;
    let url: string;
    let plain: { id: string; key: string };

    before(async () => {
      company = await startCompany({ config: CONFIG, args: ['--workers', `${workers}`] });
      owner = await company.hire('owner', 'owner');
      url = company.headgate.url;
      plain = await company.headgate.createKey();
    });
    after(() => company[Symbol.asyncDispose]());

    const chat = (key: string, body: object | string): Promise<Answer> =>
      ask(`${url}/v1/chat/completions`, { key, body, headers: { connection: 'close' } });

    /** A rate lets some calls through before it refuses one. */
    async function untilRefused(call: () => Promise<Answer>): Promise<Answer> {
      for (;;) {
        const answer = await call();
        if (answer.status !== 200) return answer;
      }
    }

    /** The refused call of an answer, once it is stored. */
    async function shown(answer: Answer, key = owner.key): Promise<Shown> {
      const id = answer.headers.get('x-request-id');
      for (;;) {
        const { status, json, text } = await ask(`${url}/v1/usage/${id}`, { key });
        if (status === 200) return json as Shown;
        assert.equal(status, 404, text);
        await nextPoll();
      }
    }

    test('each kind is found by its request id, with the words that its caller was told', async () => {
      const narrow = await company.headgate.createKey('--models', 'echo');
      const slow = await company.headgate.createKey('--requests-per-minute', '1');
      const poor = await company.headgate.createKey('--spend-limit', '0.000001');
      const kinds: [name: string, answer: Answer, status: number, error: string, model: string, keyId: string][] = [
        ['unknown', await chat(plain.key, { model: 'gpt-99', ...HI }), 404, 'model_not_found', 'gpt-99', plain.id],
        ['banned', await chat(narrow.key, { model: 'dear', ...HI }), 403, 'model_not_allowed', 'dear', narrow.id],
        [
          'rate',
          await untilRefused(() => chat(slow.key, { model: 'echo', ...HI })),
          429,
          'rate_limit_exceeded',
          'echo',
          slow.id,
        ],
        ['budget', await chat(poor.key, { model: 'dear', ...HI }), 429, 'insufficient_quota', 'dear', poor.id],
        ['body', await chat(plain.key, '{"model":'), 400, 'invalid_json', '', plain.id],
        ['key', await chat('hg_live_nonsense', { model: 'echo', ...HI }), 401, 'invalid_api_key', '', ''],
      ];
      for (const [name, answer, status, error, model, keyId] of kinds) {
        assert.equal(answer.status, status, `${name}: ${answer.text}`);
        const call = await shown(answer);
        const { status: shownStatus, http_status, error: kind, requested_model, api_key_id, cost_usd, attempts } = call;
        assert.deepEqual(
          [shownStatus, http_status, kind, requested_model, api_key_id, cost_usd, attempts],
          ['refused', status, error, model, keyId, 0, 0],
          name,
        );
        assert.equal(call.error_message, field(answer.json, 'error', 'message'), name);
      }
    });

    test('a call without a valid key shows who sent it, without the secret', async () => {
      const secret = `hg_live_${'Z'.repeat(49)}`;
      const call = await shown(await chat(secret, { model: 'echo', ...HI }));
      assert.deepEqual(call.refused_caller, { api_key: 'hg_live_ZZ…ZZZZ', ip_address: '127.0.0.1' });
      assert.ok(!JSON.stringify(call).includes(secret));
    });

    test('a call to a wrong path belongs to its key, and the path of a stranger is not kept', async () => {
      const own = await company.headgate.createKey('--usage', 'own');
      const wrong = (key: string, headers = {}) =>
        ask(`${url}/chat/bot123-secret/completions`, { key, body: HI, headers: { connection: 'close', ...headers } });
      const mine = await shown(await wrong(own.key), own.key);
      assert.deepEqual([mine.api_key_id, mine.http_status, mine.error], [own.id, 404, 'not_found']);
      assert.match(String(mine.error_message), /bot123-secret/);
      const strange = await shown(await wrong('nonsense'));
      assert.deepEqual([strange.api_key_id, strange.error], ['', 'not_found']);
      assert.doesNotMatch(JSON.stringify(strange), /bot123-secret/);
      const basic = `Basic ${Buffer.from('somebody:a-long-password-1234567890').toString('base64')}`;
      const scheme = await shown(await wrong('', { authorization: basic }));
      assert.deepEqual(scheme.refused_caller, { api_key: 'Basic …', ip_address: '127.0.0.1' });
    });

    test('they are listed only if asked for, newest first, and count in no sum', async () => {
      const { id, key } = await company.headgate.createKey();
      const first = await shown(await chat(key, { model: 'gpt-98', ...HI }));
      const second = await shown(await chat(key, { model: 'gpt-99', ...HI }));
      const list = async (query: string) => {
        const { status, json, text } = await ask(`${url}/v1/usage?api_key_id=${id}${query}`, { key: owner.key });
        assert.equal(status, 200, text);
        return (json as { data: Shown[] }).data.map(({ request_id: request }) => request);
      };
      assert.deepEqual(await list('&status=refused'), [second.request_id, first.request_id]);
      assert.deepEqual(await list('&status=refused&model=gpt-98'), [first.request_id]);
      assert.deepEqual(await list(`&status=refused&after=${second.id}`), [first.request_id]);
      assert.deepEqual(await list(''), []);
      assert.deepEqual(await list('&status=failed'), []);
      const { json } = await ask(`${url}/v1/usage/summary?by=key`, { key: owner.key });
      const rows = field(json, 'data') as { api_key_id: string }[];
      assert.ok(!rows.some((row) => row.api_key_id === id));
      const live = await ask(`${url}/v1/usage/live?status=refused`, { key: owner.key });
      assert.equal(live.status, 400);
      const wrong = await ask(`${url}/v1/usage?status=refused&after=refused_0`, { key: owner.key });
      assert.deepEqual([wrong.status, field(wrong.json, 'error', 'param')], [400, 'after']);
    });

    test('they are read by whoever reads the calls of their key, and by nobody else', async () => {
      const own = await company.headgate.createKey('--usage', 'own');
      const answer = await chat(plain.key, { model: 'gpt-99', ...HI });
      const { request_id: id } = await shown(answer);
      const mine = await shown(await chat(own.key, { model: 'gpt-99', ...HI }), own.key);
      assert.equal(mine.api_key_id, own.id);
      assert.equal((await ask(`${url}/v1/usage/${id}`, { key: own.key })).status, 404);
      const listed = await ask(`${url}/v1/usage?status=refused&limit=100`, { key: own.key });
      assert.deepEqual(
        (field(listed.json, 'data') as Shown[]).map(({ api_key_id }) => api_key_id),
        [own.id],
      );
      const stranger = await company.hire('stranger', 'owner', UMBRELLA);
      assert.equal((await ask(`${url}/v1/usage/${id}`, { key: stranger.key })).status, 404);
      const keyless = await shown(await chat('nonsense', { model: 'echo', ...HI }));
      assert.equal((await ask(`${url}/v1/usage/${keyless.request_id}`, { key: stranger.key })).status, 404);
    });

    test('search and the commands find them by their request id', async () => {
      const documented = await documentedFetch(url);
      const call = await shown(await chat(plain.key, { model: 'gpt-99', ...HI }));
      const found = await documented(`${url}/v1/organization/search?query=${call.request_id}`, {
        headers: { authorization: `Bearer ${owner.key}` },
      });
      const [result] = field(await found.json(), 'data') as { type: string; id: string }[];
      assert.deepEqual([result?.type, result?.id], ['request', call.id]);
      const { stdout, code } = await company.headgate.command('usage', 'show', call.request_id);
      assert.equal(code, 0);
      assert.match(stdout, /Status +refused, 404: model_not_found\nMessage +.*gpt-99/);
      const list = await company.headgate.command('usage', 'list', '--status', 'refused', '--model', 'gpt-99');
      assert.match(list.stdout, /refused: model_not_found/);
      assert.equal((await company.headgate.command('usage', 'list', '--status', 'odd')).code, 2);
    });

    test('a flood of one key is counted, and hides no refused call of another', async () => {
      const flooding = await company.headgate.createKey();
      const calls = 300;
      await Promise.all(
        Array.from({ length: calls }, () =>
          ask(`${url}/v1/chat/completions`, { key: flooding.key, body: { model: 'x' } }),
        ),
      );
      const other = await shown(await chat(plain.key, { model: 'gpt-99', ...HI }));
      assert.equal(other.api_key_id, plain.id);
      const metrics = await ask(`${url}/metrics`);
      const counted = /^headgate_refused_calls_total\{error="invalid_request"\} (\d+)$/m.exec(metrics.text);
      assert.ok(Number(counted?.[1]) >= calls, metrics.text);
    });
  });
}
