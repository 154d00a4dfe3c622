import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runHeadgate } from '../support/headgate.ts';

const example = await readFile(new URL('../../headgate.example.yaml', import.meta.url), 'utf8');

test('a good file is fine, and what is off is told', async () => {
  const { code, stdout } = await runHeadgate(['config', 'check'], { config: example });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^\/.*\/headgate\.yaml: fine\n {2}Provider openai is off: OPENAI_API_KEY is not set; .+\.\n$/,
    'in one line',
  );

  const { json } = await runHeadgate(['config', 'check', '--json'], { config: example, env: { OPENAI_API_KEY: 'sk' } });
  const { ok, notices } = json as { ok: boolean; notices: string[] };
  assert.equal(ok, true);
  assert.deepEqual(notices, [
    'Provider lab is off: LAB_KEY is not set; so nothing serves alias default, route acme/split, route system.',
  ]);
});

const BAD = 'providers:\n  lab: { base_ulr: http://127.0.0.1:9000 }\nserver: { port: 99999 }\n';

test('every mistake is told with its place', async () => {
  const { code, stdout, stderr } = await runHeadgate(['config', 'check'], { config: BAD });
  assert.deepEqual([code, stdout], [1, '']);
  const lines = stderr.trim().split('\n');
  assert.equal(lines.length, 2, stderr);
  assert.match(
    lines[0] ?? '',
    /^\/.*\/headgate\.yaml:2:10 providers\.lab\.base_ulr: is not a setting \(did you mean “base_url”\?\)$/,
  );
  assert.match(lines[1] ?? '', /^\/.*\/headgate\.yaml:3:11 server\.port: must be /);

  const { json } = await runHeadgate(['config', 'check', '--json'], { config: BAD });
  const { problems } = (json as { error: { problems: { line: number; path: string }[] } }).error;
  assert.deepEqual(
    problems.map(({ line, path }) => [line, path]),
    [
      [2, 'providers.lab.base_ulr'],
      [3, 'server.port'],
    ],
  );
});

test('another file than the one in force can be checked', async () => {
  const { code, stdout } = await runHeadgate(['config', 'check', 'headgate.yaml'], {
    config: example,
    env: { HEADGATE_CONFIG: 'elsewhere.yaml' },
  });
  assert.deepEqual([code, stdout.split('\n')[0]?.endsWith('/headgate.yaml: fine')], [0, true]);
  const missing = await runHeadgate(['config', 'check', 'nowhere.yaml']);
  assert.deepEqual([missing.code, missing.stderr], [1, 'There is no file nowhere.yaml.\n']);
  const none = await runHeadgate(['config', 'check']);
  assert.deepEqual([none.code, none.stdout], [0, 'There is no configuration file. The environment is valid.\n']);
});
