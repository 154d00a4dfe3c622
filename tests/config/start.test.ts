import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';
import { chat, owners, served } from './ask.ts';

/** The example that every reader copies. */
const EXAMPLE = `server: { host: 127.0.0.1, port: 8080, data: ./data }        # also HEADGATE_HOST, HEADGATE_PORT, HEADGATE_DATA
providers:
  openai: {}                            # a preset's own name: address and OPENAI_API_KEY are known
  lab:                                  # any other name: an address of the operator's own
    base_url: http://127.0.0.1:9000/v1
    api_key: \${LAB_KEY}                 # may be left out
    dialects: [openai-chat, openai-embeddings]                # the default
    models:                             # beside what GET /models there says; “only” restricts to these
      - lab-small
      - { id: lab-large, upstream: lab-large-2026, context_window: 128000, price: { input_per_1m: 0.15, output_per_1m: 0.60, cache_read_per_1m: 0.075 } }
      - { id: text-embedding-3-small, dimensions: 1536 }
aliases: { default: lab-small }
timeouts: { connect: 3s, first_byte: 120s, idle: 300s, total: 15m }
limits: { requests_per_minute: 600, tokens_per_minute: 2000000 }   # of a key that has none of its own; also max_body: 64MB, …
`;

/** A vendor at its own address is not asked with a key that is none. */
const NOBODY_ASKED = { HEADGATE_DISCOVERY: 'false' };

test('the example starts without its secrets, and says what is off', async () => {
  await using headgate = await startHeadgate({ config: EXAMPLE });
  assert.deepEqual(await owners(headgate), ['echo']);
  assert((await served(headgate)).includes('echo:text-embedding-3-small'), 'no vendor is on');
  assert.match(headgate.stdout(), /Provider openai is off: OPENAI_API_KEY is not set;/);
  assert.match(headgate.stdout(), /provider lab is off: LAB_KEY is not set;/);
  assert.match(headgate.stdout(), /; so nothing serves alias default\./);
  const doctor = await headgate.command('doctor');
  assert.match(doctor.stdout + doctor.stderr, /lab.*LAB_KEY is not set/s);
});

test('an empty file is refused at start, and says what to write', async () => {
  const { code, stderr } = await runHeadgate(['serve'], { config: '' });
  assert.equal(code, 1);
  assert.match(stderr, /headgate\.yaml:1:1 the file has no settings; write \{\} to use all defaults/);
});

test('the example starts with its secrets, and everything in it is on', async () => {
  const env = { LAB_KEY: 'lab-key-0123456789', OPENAI_API_KEY: 'dummy-0123456789', ...NOBODY_ASKED };
  await using headgate = await startHeadgate({ config: EXAMPLE, env });
  assert.deepEqual(await owners(headgate), ['openai', 'lab', 'echo']);
  const names = await served(headgate);
  for (const name of ['lab:default', 'lab:lab-large', 'openai:text-embedding-3-small', 'openai:gpt-4o-mini']) {
    assert(names.includes(name), name);
  }
  assert(names.includes('lab:lab/text-embedding-3-small'), 'the bare name is that of the first provider');
  assert.doesNotMatch(headgate.stdout(), / is off/);
});

test('without a file, vendors whose key is in the environment are on, in the order of the presets', async () => {
  const env = {
    AZURE_API_KEY: 'dummy-0123456789',
    AZURE_RESOURCE_NAME: 'nowhere',
    OPENAI_API_KEY: 'dummy-0123456789',
    MISTRAL_API_KEY: '',
    ...NOBODY_ASKED,
  };
  await using headgate = await startHeadgate({ env });
  assert.deepEqual((await owners(headgate)).slice(0, 2), ['openai', 'azure']);
  const names = await served(headgate);
  assert(names.includes('openai:gpt-4o-mini') && names.includes('azure:azure/gpt-4o-mini'));
  assert(!names.some((name) => name.startsWith('mistral:')), 'an empty variable is not set');
  assert(names.includes('echo:echo/text-embedding-3-small'), 'the built-in models stand back');
});

test('a vendor whose address is missing is off, and start says so', async () => {
  await using headgate = await startHeadgate({ env: { AZURE_API_KEY: 'dummy-0123456789' } });
  assert.match(headgate.stdout(), /Provider azure is off: none of AZURE_OPENAI_ENDPOINT, AZURE_RESOURCE_NAME is set\./);
  assert(!(await owners(headgate)).includes('azure'));
});

test('with a file, only the providers it names are on, and echo unless it says no', async () => {
  const env = { OPENAI_API_KEY: 'dummy-0123456789' };
  const lab = 'providers: { lab: { base_url: "http://127.0.0.1:9000/v1", only: [lab-small] } }';
  await using headgate = await startHeadgate({ config: lab, env });
  assert.deepEqual(await served(headgate), [
    'lab:lab-small',
    'echo:echo',
    'echo:echo/text-embedding-3-small',
    'echo:echo/text-embedding-3-large',
    'echo:echo/text-embedding-ada-002',
  ]);
  await headgate.restart(`${lab}\necho: false\n`);
  assert.deepEqual(await served(headgate), ['lab:lab-small']);
  assert.equal((await chat(headgate, 'echo')).status, 404);
  assert.match(headgate.stdout(), /"model":\s?"lab-small"/, 'the example call names a model that there is');
  await headgate.restart('limits: {}');
  assert.match(headgate.stdout(), /names no provider, so these keys of the environment are not used: OPENAI_API_KEY/);
});

test('dialects that are not supported yet are legal; a provider that speaks no other is off', async () => {
  const config = `
providers:
  other: { base_url: "http://127.0.0.1:9000/v1", dialects: [gemini], only: [m] }
  both: { base_url: "http://127.0.0.1:9000/v1", dialects: [openai-chat, gemini, bedrock-converse], only: [m] }
`;
  await using headgate = await startHeadgate({ config });
  assert.deepEqual(await owners(headgate), ['both', 'echo']);
  assert.match(headgate.stdout(), /Provider other is off: none of its dialects is supported yet \(gemini\)\./);
  assert.match(
    headgate.stdout(),
    /Provider both does not use dialects that are not supported yet: gemini, bedrock-converse\./,
  );
});

const MISTAKES: [what: string, config: string, told: RegExp[]][] = [
  [
    'a misspelt setting',
    'providers:\n  lab:\n    base_ulr: http://127.0.0.1:9000/v1\n    base_url: http://127.0.0.1:9000/v1\n',
    [/headgate\.yaml:3:5 providers\.lab\.base_ulr: is not a setting \(did you mean “base_url”\?\)/],
  ],
  [
    'several at once',
    'server: { port: 70000 }\nlimits:\n  max_body: 64XB\naliases: { a: b, b: a }\n',
    [/headgate\.yaml:1:11 server\.port: must be a whole number/, /headgate\.yaml:3:3 limits\.max_body: must be a size/],
  ],
  ['broken YAML', 'providers:\n  lab: { base_url: \n', [/headgate\.yaml:\d+:\d+ /]],
];

test('a mistake in the file is refused with its place and a sentence', async () => {
  for (const [what, config, told] of MISTAKES) {
    const { code, stdout, stderr } = await runHeadgate(['serve'], { config });
    assert.equal(code, 1, what);
    assert.equal(stdout, '', what);
    for (const pattern of told) assert.match(stderr, pattern, what);
    assert.doesNotMatch(stderr, /^\s+at /m, 'a sentence, not a stack');
  }
});

test('a mistake in the environment is refused by the variable’s name', async () => {
  const port = await runHeadgate(['serve'], { env: { HEADGATE_PORT: 'http' } });
  assert.equal(port.code, 1);
  assert.match(port.stderr, /HEADGATE_PORT: must be a whole number/);
  const file = await runHeadgate(['serve'], { env: { HEADGATE_CONFIG: 'nowhere.yaml' } });
  assert.equal(file.code, 1);
  assert.match(file.stderr, /nowhere\.yaml HEADGATE_CONFIG: names a file that does not exist/);
});
