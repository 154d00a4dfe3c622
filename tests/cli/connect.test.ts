import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_TEXT } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type CommandResult, runHeadgate, startHeadgate } from '../support/headgate.ts';
import { runProcess } from '../support/process.ts';

const KEY = /hg_live_[0-9A-Za-z]{49}/;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const vendor = await startFakeProvider();
after(() => vendor.close());
const config = `providers: { lab: { base_url: "${vendor.url}", dialects: [openai-chat], only: [lab-small, lab-large] } }\n`;

/** A home of its own, and a data folder in it. */
async function makeHome() {
  const home = await mkdtemp(join(tmpdir(), 'headgate-connect-'));
  const options = { config, data: join(home, 'data'), env: { HOME: home, HEADGATE_PORT: '8080' } };
  return {
    home,
    run: (...args: string[]) => runHeadgate(['connect', ...args], options),
    async keys() {
      const { json } = await runHeadgate(['keys', 'list', '--json'], options);
      return (json as { data: { id: string; name: string; source: string; allowed_models: unknown }[] }).data;
    },
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  };
}

function text(path: string): string {
  return readFileSync(path, 'utf8');
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function keyIn(said: string): string {
  const found = KEY.exec(said)?.[0];
  assert.ok(found !== undefined, said);
  return found;
}

type Shown = {
  configuration: { about: string; text: string }[];
  key: string;
  model: string;
  api_key: { source: string };
};
type Put = {
  files: { path: string; backup: string | null; holds_key: boolean }[];
  undo: string[];
  api_key: { id: string };
};

function jsonOf<T>({ code, json, stderr }: CommandResult): T {
  assert.equal(code, 0, stderr);
  return json as T;
}

for (const tool of ['codex', 'claude-code', 'cursor', 'opencode', 'ai-sdk']) {
  test(`${tool}: its configuration is shown, with a key of its own, and nothing is written`, async () => {
    await using place = await makeHome();
    const shown = await place.run(tool);
    assert.equal(shown.code, 0, shown.stderr);
    const secret = keyIn(shown.stdout);
    assert.equal(shown.stdout.split(secret).length, 2, 'once');
    assert.match(shown.stdout, /\(another: --model\)/);
    assert.deepEqual(readdirSync(place.home), ['data']);

    const { configuration, key, model, api_key } = jsonOf<Shown>(await place.run(tool, '--json'));
    assert.ok(configuration.some((part) => part.text.includes(key)));
    assert.deepEqual([model, api_key.source], ['lab-small', 'developer_tool']);
    const keys = await place.keys();
    assert.deepEqual(
      keys.map(({ name, source }) => [name, source]),
      [tool, tool].map((name) => [name, 'developer_tool']),
    );
  });
}

test('codex --write keeps what is there, and a second run is told of the first', async () => {
  await using place = await makeHome();
  const folder = join(place.home, 'codex home');
  const file = join(folder, 'config.toml');
  const keyFile = join(folder, 'headgate.key');
  const before = '# mine\nmodel = "gpt-5" # usual\n\n[tui]\ntheme = "dark"\n';
  await mkdir(folder);
  await writeFile(file, before);
  await chmod(file, 0o640);
  const options = { config, data: join(place.home, 'data'), env: { CODEX_HOME: folder, HEADGATE_PORT: '8081' } };
  const connect = (...args: string[]) => runHeadgate(['connect', 'codex', '--write', ...args], options);

  const first = jsonOf<Put>(await connect('--json'));
  assert.equal(
    text(file),
    `# mine
model = "lab-small" # usual
model_provider = "headgate"

[tui]
theme = "dark"

[model_providers.headgate]
name = "Headgate"
base_url = "http://127.0.0.1:8081/v1"
wire_api = "responses"
auth = { command = "cat", args = ["${keyFile}"] }
`,
  );
  assert.deepEqual([modeOf(file), modeOf(keyFile)], [0o640, 0o600]);
  const backup = first.files.find(({ path }) => path === file)?.backup ?? '';
  assert.match(backup, /config\.toml\.backup-\d{14}$/);
  assert.deepEqual([text(backup), modeOf(backup)], [before, 0o640]);
  assert.match(text(keyFile), /^hg_live_\w{49}\n$/);

  const written = text(file);
  const second = await connect();
  assert.equal(second.code, 0, second.stderr);
  assert.equal(text(file), written, 'its block is there already');
  assert.doesNotMatch(second.stdout, KEY);
  assert.match(second.stdout, /^Changed {2}.*headgate\.key {2}before: .*; contains the key, readable only by you$/m);
  assert.match(
    second.stderr,
    new RegExp(`^The earlier key ${first.api_key.id} for codex is still valid\\. .* revoke ${first.api_key.id}$`, 'm'),
  );

  const undo = first.undo.slice(0, -1).join('\n');
  await runProcess(['--eval', `require('node:child_process').execSync(${JSON.stringify(undo)})`], folder, process.env)
    .ended;
  assert.deepEqual([text(file), existsSync(keyFile)], [before, false]);
});

test('a link to the settings stays a link, and the key makes a file its owner’s alone', async () => {
  await using place = await makeHome();
  const real = join(place.home, 'dotfiles.json');
  const link = join(place.home, '.claude', 'settings.json');
  await writeFile(real, '{\n\t"model": "opus",\n\t"env": {\n\t\t"FOO": "1"\n\t}\n}\n');
  await chmod(real, 0o644);
  await mkdir(dirname(link));
  await symlink(real, link);
  const { files } = jsonOf<Put>(await place.run('claude-code', '--write', '--json', '--model', 'lab-large'));
  assert.deepEqual(
    files.map(({ path }) => path),
    [real],
  );
  assert.equal(statSync(link).ino, statSync(real).ino);
  assert.equal(modeOf(real), 0o600);
  const secret = keyIn(text(real));
  assert.equal(
    text(real),
    `{
	"model": "opus",
	"env": {
		"FOO": "1",
		"ANTHROPIC_BASE_URL": "http://127.0.0.1:8080",
		"ANTHROPIC_AUTH_TOKEN": "${secret}",
		"ANTHROPIC_MODEL": "lab-large",
		"ANTHROPIC_DEFAULT_HAIKU_MODEL": "lab-small",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"
	}
}
`,
  );
});

test('opencode --write keeps comments, and finds its file as the program does', async () => {
  await using place = await makeHome();
  const folder = join(place.home, '.config', 'opencode');
  const file = join(folder, 'opencode.jsonc');
  await mkdir(folder, { recursive: true });
  await writeFile(file, '{\n  // mine\n  "autoupdate": false,\n}\n');
  jsonOf<Put>(await place.run('opencode', '--write', '--json', '--url', 'https://gate.example.com/v1/'));
  const keyFile = join(folder, 'headgate.key');
  const options = `"baseURL": "https://gate.example.com/v1",\n        "apiKey": "{file:${keyFile}}"`;
  assert.ok(
    text(file).startsWith('{\n  // mine\n  "autoupdate": false,\n  "model": "headgate/lab-small",\n'),
    text(file),
  );
  assert.ok(text(file).includes(options), text(file));
  assert.equal(modeOf(keyFile), 0o600);
});

test('what cannot be done is refused before a key is made', async () => {
  await using place = await makeHome();
  for (const folder of ['.claude', '.codex', '.config/opencode'])
    await mkdir(join(place.home, folder), { recursive: true });
  await writeFile(join(place.home, '.claude', 'settings.json'), '{ "env": ');
  await symlink('nowhere.json', join(place.home, '.config', 'opencode', 'opencode.json'));
  await writeFile(join(place.home, '.codex', 'config.toml'), 'model_providers = { x = { name = "x" } }\n');
  const refusals: readonly [args: string[], code: number, sentence: RegExp][] = [
    [['cursor', '--write'], 2, /^Only Cursor can write these settings/],
    [['claude-code', '--write'], 1, /settings\.json cannot be edited: it is not JSON\./],
    [['codex', '--write'], 1, /config\.toml cannot be edited: .* is not written as a table/],
    [['codx'], 2, /^headgate connect does not know codx \(did you mean “codex”\?\)/],
    [['codex', '--url', 'example.com'], 2, /^--url must be/],
    [['codex', '--source', 'product'], 2, /has no option --source/],
    [['codex', '--spend-limit', 'much'], 2, /^--spend-limit must be/],
    [['opencode', '--write'], 1, /opencode\.json cannot be edited: it is a link to a file that is not there\.\n$/],
  ];
  for (const [args, code, sentence] of refusals) {
    const refused = await place.run(...args);
    assert.match(refused.stderr, sentence);
    assert.equal(refused.code, code);
  }
  await mkdir(join(place.home, '.codex', 'headgate.key'));
  assert.match((await place.run('codex', '--write')).stderr, /headgate\.key is a folder, not a file\.\n$/);
  const { stderr } = await runHeadgate(['connect', 'codex'], { env: { HOME: place.home, HEADGATE_PORT: '0' } });
  assert.match(stderr, /^The port is 0.*--url/);
  const data = join(place.home, 'data');
  const homeless = await runHeadgate(['connect', 'codex', '--data', data], {
    config,
    env: { HOME: '', HEADGATE_PORT: '1' },
  });
  assert.match(homeless.stderr, /^HOME is not set/);
  assert.deepEqual(await place.keys(), []);
});

test('a file without any text is edited like one that is not there, and a pipe is refused', async () => {
  await using place = await makeHome();
  const settings = join(place.home, '.claude', 'settings.json');
  const other = join(place.home, '.config', 'opencode', 'opencode.json');
  for (const path of [settings, other]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, ' \n');
  }
  assert.equal((await place.run('claude-code', '--write')).code, 0);
  assert.match(JSON.parse(text(settings)).env.ANTHROPIC_AUTH_TOKEN, /^hg_live_/);
  assert.equal((await place.run('opencode', '--write')).code, 0);
  assert.equal(JSON.parse(text(other)).$schema, 'https://opencode.ai/config.json');
  await rm(settings);
  assert.equal(spawnSync('mkfifo', [settings]).status, 0);
  const { code, stderr } = await place.run('claude-code', '--write');
  assert.deepEqual([code, stderr], [1, `${settings} cannot be edited: it is a pipe or a device.\n`]);
});

test('where the disk refuses, it says what to undo', async () => {
  await using place = await makeHome();
  await symlink('nowhere', join(place.home, '.codex'));
  const { code, stderr } = await place.run('codex', '--write');
  assert.equal(code, 1);
  assert.match(stderr, /To undo this:\nnpx headgate keys revoke key_\w+\n$/);
});

test('what is written names files wholly, also where the folder of a tool is named from the present one', async () => {
  await using place = await makeHome();
  const options = { config, data: join(place.home, 'data'), env: { CODEX_HOME: 'own', HEADGATE_PORT: '8081' } };
  const { files, undo } = jsonOf<Put>(await runHeadgate(['connect', 'codex', '--write', '--json'], options));
  assert.equal(files.length, 2);
  for (const [index, { path }] of files.entries()) {
    assert.ok(isAbsolute(path), path);
    assert.equal(undo[index], `rm ${path}`);
  }
});

test('what the key may do is said as for any key', async () => {
  await using place = await makeHome();
  const shown = await place.run('codex', '--json', '--models', 'lab-large', '--name', 'mine', '--expires', '90d');
  assert.equal(jsonOf<Shown>(shown).model, 'lab-large', 'the first that it may use');
  const [key] = await place.keys();
  assert.deepEqual([key?.name, key?.allowed_models], ['mine', ['lab-large']]);
});

/** How a tool calls with what it was told: the path, and headers beside those of JSON. */
type Calls = { tool: string; file: string; path: string; body: Record<string, unknown>; address: RegExp };

const HELLO = [{ role: 'user', content: 'Hello' }];
const CALLS: readonly Calls[] = [
  {
    tool: 'codex',
    file: '.codex/config.toml',
    address: /base_url = "(.*)"/,
    path: '/responses',
    body: { input: 'Hello', stream: true },
  },
  {
    tool: 'claude-code',
    file: '.claude/settings.json',
    address: /"ANTHROPIC_BASE_URL": "(.*)"/,
    path: '/v1/messages?beta=true',
    body: { messages: HELLO, max_tokens: 100, stream: true },
  },
  {
    tool: 'opencode',
    file: '.config/opencode/opencode.json',
    address: /"baseURL": "(.*)"/,
    path: '/chat/completions',
    body: { messages: HELLO, stream: true },
  },
];

for (const { tool, file, path, body, address } of CALLS) {
  test(`${tool}: what was written opens a running gateway, whose record says who called`, async () => {
    await using gateway = await startHeadgate({ config });
    const home = dirname(gateway.data);
    const { files } = jsonOf<Put>(await gateway.command('connect', tool, '--write', '--json', '--url', gateway.url));
    const secret = keyIn(text(files.find(({ holds_key }) => holds_key)?.path ?? ''));
    const base = address.exec(text(join(home, file)))?.[1] ?? '';
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'lab-small', ...body }),
    });
    const said = await answer.text();
    assert.equal(answer.status, 200, said);
    const { data } = await gateway.usage();
    assert.deepEqual(
      data.map(({ source, status, model }) => [source, status, model]),
      [['developer_tool', 'succeeded', 'lab-small']],
    );
  });
}

test('ai-sdk: the program that is shown works with the file that is written', async () => {
  await using gateway = await startHeadgate({ config });
  const { configuration } = jsonOf<Shown>(await gateway.command('connect', 'ai-sdk', '--json', '--url', gateway.url));
  const { files } = jsonOf<Put>(await gateway.command('connect', 'ai-sdk', '--write', '--json', '--url', gateway.url));
  const program = configuration.at(-1)?.text ?? '';
  const args = [`--env-file=${files[0]?.path}`, '--input-type=module', '--eval', program];
  const ran = runProcess(args, ROOT, { PATH: process.env.PATH });
  assert.equal(await ran.ended, 0, ran.stderr());
  assert.equal(ran.stdout(), `${DEFAULT_TEXT}\n`);
  const { data } = await gateway.usage();
  assert.deepEqual(
    data.map(({ source }) => source),
    ['developer_tool'],
  );
});
