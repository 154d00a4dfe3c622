import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, chat, workersOf } from '../workers/ask.ts';

const CONFIG = 'routes: { acme/filed: { targets: [echo] } }';
const headgate = await startHeadgate({ config: CONFIG, args: ['--workers', '2'] });
after(() => headgate[Symbol.asyncDispose]());

async function put(running: Running, id: string, definition: string): Promise<string> {
  const file = join(running.data, 'route.yaml');
  await writeFile(file, definition);
  const { code, stdout, stderr } = await running.command('routes', 'put', id, '--file', file);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Waits until every worker answers so: each request goes to the next. */
async function until(status: number, model: string): Promise<void> {
  const begun = performance.now();
  for (let right = 0; right < 4; ) {
    const answer = await ask(headgate, '/v1/chat/completions', chat(model));
    right = answer.status === status ? right + 1 : 0;
    assert.ok(performance.now() - begun < WAIT_MS, `${model}: ${answer.status} ${answer.text}`);
  }
}

function kept(): Record<string, unknown>[] {
  using database = new DatabaseSync(join(headgate.data, 'headgate.db'), { readOnly: true });
  return database.prepare('SELECT id, origin FROM routes ORDER BY id').all();
}

test('a stored route is served by every worker, and its change and its end are seen by each', async () => {
  assert.equal(workersOf(headgate).length, 2);
  assert.equal((await ask(headgate, '/v1/chat/completions', chat('acme/stored'))).status, 404);
  await put(headgate, 'acme/stored', '{ name: Stored, targets: [echo] }');
  await until(200, 'acme/stored');
  const { headers } = await ask(headgate, '/v1/chat/completions', chat('acme/stored'));
  assert.equal(headers.get('service-route'), 'acme/stored');
  const catalog = JSON.parse((await ask(headgate, '/v1/models/catalog?search=stored')).text) as {
    data: { name: string }[];
  };
  assert.deepEqual(
    catalog.data.map(({ name }) => name),
    ['Stored'],
  );

  await put(headgate, 'acme/stored', '{ targets: [echo], limits: { max_prompt_tokens: 1 } }');
  await until(400, 'acme/stored');
  assert.equal((await headgate.command('routes', 'remove', 'acme/stored')).code, 0);
  await until(404, 'acme/stored');
});

test('the file’s routes are in the store, and go with a reload', async () => {
  assert.partialDeepStrictEqual(kept(), [{ id: 'acme/filed', origin: 'file' }]);
  await headgate.reload('routes: { acme/other: { targets: [echo] } }');
  assert.deepEqual(
    kept().map(({ id, origin }) => `${id} ${origin}`),
    ['acme/other file'],
  );
  await until(404, 'acme/filed');
  await until(200, 'acme/other');
});

test('the file wins over a stored route of the same id, which comes back when the file’s goes', async () => {
  await headgate.reload('echo: true');
  await put(headgate, 'acme/both', '{ targets: [echo], limits: { max_prompt_tokens: 1 } }');
  await until(400, 'acme/both');
  await headgate.reload('routes: { acme/both: { targets: [echo] } }');
  await headgate.waitForLine(/"route":"acme\/both".*hides a stored one/);
  await until(200, 'acme/both');
  const { code, stderr } = await headgate.command(
    'routes',
    'put',
    'acme/both',
    '--file',
    join(headgate.data, 'route.yaml'),
  );
  assert.equal(code, 1);
  assert.match(stderr, /^acme\/both is a route of .*headgate\.yaml and can be changed only there\.\n$/);
  await headgate.reload('echo: true');
  await until(400, 'acme/both');
  assert.equal((await headgate.command('routes', 'remove', 'acme/both')).code, 0);
  await until(404, 'acme/both');
});

test('a stored definition that cannot be read is told in the log and left out; the others serve', async () => {
  await put(headgate, 'acme/good', '{ targets: [echo] }');
  const database = new DatabaseSync(join(headgate.data, 'headgate.db'));
  const add = database.prepare("INSERT INTO routes (id, definition, origin, updated_at) VALUES (?, ?, 'store', 1)");
  add.run('acme/bad', '{"targets":[]}');
  add.run('acme/worse', '{');
  database.close();
  await headgate.waitForLine(/"route":"acme\/bad".*A stored route is left out: targets: must name at least one target/);
  await headgate.waitForLine(/"route":"acme\/worse".*is not stored as JSON/);
  await until(200, 'acme/good');
  await until(404, 'acme/bad');
  await headgate.restart();
  await until(200, 'acme/good');
});
