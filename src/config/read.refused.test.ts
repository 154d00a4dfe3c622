// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PresetNames } from './config.ts';
import { ConfigError, type Problem } from './problems.ts';
import { type ConfigInput, readConfig } from './read.ts';

const PRESETS: PresetNames[] = [
  { id: 'openai', alsoCalled: ['ai'], keyEnv: ['OPENAI_API_KEY'], needsKey: true, needsBaseUrl: false, baseUrlEnv: [] },
  { id: 'openai-compatible', keyEnv: [], needsKey: false, needsBaseUrl: true, baseUrlEnv: [] },
];

function refusal(text: string | null, env: ConfigInput['env'] = {}): ConfigError {
  try {
    readConfig({ text, file: 'headgate.yaml', env, presets: PRESETS, built: ['openai-chat'] });
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error;
  }
  return assert.fail('was not refused');
}

const PRICE = 'must be dollars per million tokens, from 0 to 1000000, with at most six decimals';
const HEADER_NAME = 'is not a header name';

/** The file, and the line it is refused with, less the name of the file. */
const REFUSED: [text: string, line: string][] = [
  // The mail server
  ['mail: { smtp_url: "smtp://mail" }', '1:1 mail.from: must be given'],
  [
    'mail: { smtp_url: "https://mail", from: a@b.c }',
    '1:9 mail.smtp_url: must be the address of a mail server, such as smtp://user:password@mail.example.com:587',
  ],
  [
    'mail: { smtp_url: "smtp://mail", from: nobody }',
    '1:34 mail.from: must be an email address, such as Headgate <headgate@example.com>',
  ],
  // Unknown settings, with the nearest known one
  ['prividers: {}', '1:1 prividers: is not a setting (did you mean “providers”?)'],
  ['server:\n  prot: 1', '2:3 server.prot: is not a setting (did you mean “port”?)'],
  ['providers:\n  lab:\n    base_ulr: x', '3:5 providers.lab.base_ulr: is not a setting (did you mean “base_url”?)'],
  ['server: { banana: 1 }', '1:11 server.banana: is not a setting'],
  [
    'models: { a/b: { price: { input: 1 } } }',
    '1:27 models.a/b.price.input: is not a setting (did you mean “input_per_1m”?)',
  ],
  // What people expect who come from elsewhere
  [
    'model_list: []',
    '1:1 model_list: is not a setting: list vendors under “providers”, and names of your own under “aliases” or “routes”',
  ],
  [
    'budgets: []',
    '1:1 budgets: is not a setting: it is kept in the settings; use “headgate budgets set”, the console or the API',
  ],
  [
    'models: { a/b: { price: 0.5 } }',
    '1:18 models.a/b.price: must be a map of dollars per million tokens, such as { input_per_1m: 0.5, output_per_1m: 1.5 }',
  ],
  [
    'providers: { x: { base_url: http://x/v1/chat/completions } }',
    '1:19 providers.x.base_url: must end before “/chat/completions”, which the gateway appends',
  ],
  [
    'providers: { x: { base_url: http://x/v1/messages/ } }',
    '1:19 providers.x.base_url: must end before “/messages/”, which the gateway appends',
  ],
  [
    'providers: { x: { base_url: http://x/openai/chat/completions } }',
    '1:19 providers.x.base_url: must end before “/chat/completions”, which the gateway appends',
  ],
  [
    'providers: { x: { base_url: http://x/v1/embeddings } }',
    '1:19 providers.x.base_url: must end before “/embeddings”, which the gateway appends',
  ],
  [
    'providers: { ai: { api_key: x } }',
    '1:14 providers.ai: is not the name of a preset (did you mean “openai”?), so it must have a base_url',
  ],
  ...[
    '$OPENAI_API_KEY',
    'os.environ/OPENAI_API_KEY',
    'env.OPENAI_API_KEY',
    'env::OPENAI_API_KEY',
    '"{{ OPENAI_API_KEY }}"',
  ].map((written): [string, string] => [
    `providers:\n  openai:\n    api_key: ${written}`,
    '3:5 providers.openai.api_key: names a variable in the way of another program: write ${NAME} to get its value',
  ]),
  [
    'providers:\n  openai: { api_key: ${OPENAI_API_KEY} }',
    '2:22 ${NAME} must be in quotes within braces or brackets: { api_key: "${NAME}" }',
  ],
  [
    'aliases: { a: "${X}" ]',
    '1:22 this is not valid YAML: Flow map in block collection must be sufficiently indented and end with a }',
  ],
  [
    'providers: { x: { base_url: http://x, models: [{ id: a, contextwindow: 1 }] } }',
    '1:57 providers.x.models[0].contextwindow: is not a setting (did you mean “context_window”?)',
  ],
  [
    'models: { a/b: { price: { tiers: [{ above_prompt_token: 1 }] } } }',
    '1:35 models.a/b.price.tiers[0].above_prompt_tokens: must be a whole number, from 1 to 1000000000',
  ],
  // Kinds
  ['- a', '1:1 must be a map of settings, not a list'],
  ['server: 8080', '1:1 server: must be a map of settings, not a number'],
  ['aliases: [a]', '1:1 aliases: must be a map of settings, not a list'],
  ['aliases: { a: 1 }', '1:12 aliases.a: must be text, not a number: put it in quotes'],
  ['server: { host: [a] }', '1:11 server.host: must be text, not a list'],
  ['server: { host: }', '1:11 server.host: has no value: write one, or omit the setting'],
  ['echo: "no"', '1:1 echo: must be true or false'],
  ['organizations: { a: {} }', '1:18 organizations.a.name: must be given'],
  [
    'organizations: { "a b": { name: x } }',
    '1:18 organizations.a b: must be a name of letters, digits, “_” and “-” (at most 64)',
  ],
  ['organizations: { a: { name: " x" } }', '1:23 organizations.a.name: must be a name of 1 to 128 characters'],
  // Server
  ['server: { port: 70000 }', '1:11 server.port: must be a whole number, from 0 to 65535'],
  ['server: { port: 1.5 }', '1:11 server.port: must be a whole number, from 0 to 65535'],
  ['server: { port: "80a" }', '1:11 server.port: must be a whole number, from 0 to 65535'],
  ['server: { port: .nan }', '1:11 server.port: must be a whole number, from 0 to 65535'],
  ['server: { host: "http://x" }', '1:11 server.host: must be an address or a host name to listen on, without a port'],
  ['server: { data: "" }', '1:11 server.data: must be the path of a folder'],
  [
    'server: { header_prefix: Service }',
    '1:11 server.header_prefix: must be lower-case letters, digits and “-” (at most 32)',
  ],
  [
    'server: { log_level: loud }',
    '1:11 server.log_level: must be one of fatal, error, warn, info, debug, trace, silent',
  ],
  ['server: { durability: high }', '1:11 server.durability: must be one of normal, full'],
  ['server: { metrics_token: "a b" }', '1:11 server.metrics_token: must be printable ASCII without spaces'],
  // Durations and sizes
  ['timeouts: { connect: 3x }', '1:13 timeouts.connect: must be a duration such as 30s, from 1ms to 24d'],
  ['timeouts: { connect: true }', '1:13 timeouts.connect: must be a duration such as 30s, from 1ms to 24d'],
  ['limits: { max_body: 64mb }', '1:11 limits.max_body: must be a size such as 64MB, from 1KB to 500MB'],
  ['retention: { usage: never }', '1:14 retention.usage: must be a duration such as 30s, from 1d to 36500d'],
  // Providers
  [
    'providers: { a/b: {} }',
    '1:14 providers.a/b: must be a name of letters, digits, “.”, “_” and “-” (at most 64, one of them a letter)',
  ],
  [
    'providers: { 123: {} }',
    '1:14 providers.123: must be a name of letters, digits, “.”, “_” and “-” (at most 64, one of them a letter)',
  ],
  [
    'providers: { echo: {} }',
    '1:14 providers.echo: is built in; write “echo: false” at the top level of the file to turn it off',
  ],
  ['providers:\n  lab: {}', '2:3 providers.lab: is not the name of a preset, so it must have a base_url'],
  [
    'providers:\n  opnai: {}',
    '2:3 providers.opnai: is not the name of a preset (did you mean “openai”?), so it must have a base_url',
  ],
  ['providers: { x: { preset: opena } }', '1:19 providers.x.preset: is not a preset (did you mean “openai”?)'],
  [
    'providers: { openai-compatible: }',
    '1:14 providers.openai-compatible: must have a base_url: the preset openai-compatible has no address of its own',
  ],
  [
    'providers: { x: { base_url: ftp://x } }',
    '1:19 providers.x.base_url: must be an http or https address, such as http://127.0.0.1:9000/v1',
  ],
  [
    'providers: { x: { base_url: "//x" } }',
    '1:19 providers.x.base_url: must be an http or https address, such as http://127.0.0.1:9000/v1',
  ],
  [
    'providers: { x: { base_url: http://me:secret@x } }',
    '1:19 providers.x.base_url: must not contain a user name or password; write the key in api_key',
  ],
  ['providers: { x: { base_url: "http://x/?a=b" } }', '1:19 providers.x.base_url: must end before any “?” or “#”'],
  [
    'providers: { openai: { api_key: "" } }',
    '1:24 providers.openai.api_key: must not be empty; omit it if there is no key',
  ],
  [
    'providers: { openai: { api_key: 12 } }',
    '1:24 providers.openai.api_key: must be text, not a number: put it in quotes',
  ],
  [
    'providers: { openai: { dialects: [openai-caht] } }',
    '1:35 providers.openai.dialects[0]: must be one of openai-chat, openai-responses, openai-embeddings, anthropic-messages, gemini, bedrock-converse',
  ],
  ['providers: { openai: { dialects: [] } }', '1:24 providers.openai.dialects: must name at least one dialect'],
  ['providers: { openai: { headers: { "a b": x } } }', `1:35 providers.openai.headers.a b: ${HEADER_NAME}`],
  [
    'providers: { openai: { headers: { Host: x } } }',
    '1:35 providers.openai.headers.Host: is a header that the gateway writes itself',
  ],
  ['providers: { openai: { headers: { a: "x\\ny" } } }', '1:35 providers.openai.headers.a: must be printable ASCII'],
  [
    'providers: { openai: { headers: { a: x, A: y } } }',
    '1:41 providers.openai.headers.A: is given twice, with different capitalization',
  ],
  // Models and prices
  [
    'providers: { openai: { models: [5] } }',
    '1:33 providers.openai.models[0]: must be a name, or a map of settings, not a number',
  ],
  ['providers: { openai: { models: [{ name: x }] } }', '1:33 providers.openai.models[0].id: must be given'],
  [
    'providers: { openai: { models: ["a b"] } }',
    '1:33 providers.openai.models[0]: must be a name of 1 to 256 characters of ASCII, without spaces and *',
  ],
  ['providers: { openai: { models: [a, { id: a }] } }', '1:36 providers.openai.models[1]: lists a a second time'],
  [
    'providers: { openai: { only: [a], models: [b] } }',
    '1:35 providers.openai.models: has no effect beside “only”, which lists all models that are served',
  ],
  [
    'providers: { openai: { only: [a], unknown_models: refuse } }',
    '1:35 providers.openai.unknown_models: has no effect beside “only”, which lists all models that are served',
  ],
  ['catalog: { source: ./list.json }', '1:12 catalog.source: has no effect without “refresh”'],
  ['catalog: { refresh: 24h }', '1:12 catalog.refresh: must have a “source” beside it'],
  [
    'models: { gpt: {} }',
    '1:11 models.gpt: must be a provider and a model in ASCII without spaces, such as openai/gpt-4o-mini',
  ],
  ['models: { a/b: { upstream: x } }', '1:18 models.a/b.upstream: is not a setting'],
  ['models: { a/b: { price: { input_per_1m: -1 } } }', `1:27 models.a/b.price.input_per_1m: ${PRICE}`],
  ['models: { a/b: { price: { input_per_1m: 1000001 } } }', `1:27 models.a/b.price.input_per_1m: ${PRICE}`],
  ['models: { a/b: { price: { input_per_1m: 0.0000001 } } }', `1:27 models.a/b.price.input_per_1m: ${PRICE}`],
  ['models: { a/b: { price: { input_per_1m: "1e3" } } }', `1:27 models.a/b.price.input_per_1m: ${PRICE}`],
  ['models: { a/b: { price: { date: 2026-02-30 } } }', '1:27 models.a/b.price.date: must be a date such as 2026-11-21'],
  [
    'models: { a/b: { price: { tiers: [{ above_prompt_tokens: 2 }, { above_prompt_tokens: 2 }] } } }',
    '1:27 models.a/b.price.tiers: must rise in above_prompt_tokens from one tier to the next',
  ],
  // Aliases
  ['aliases: { a: a }', '1:12 aliases.a: never leads to a model: a → a'],
  ['aliases: { "a b": c }', '1:12 aliases.a b: must be a name of 1 to 256 characters of ASCII, without spaces and *'],
  // Variables
  ['server: { data: "${NOPE}/x" }', '1:11 server.data: names NOPE, which is not set in the environment'],
  ['limits: { max_body: "${NOPE}" }', '1:11 limits.max_body: names NOPE, which is not set in the environment'],
  [
    'server: { data: "${a b}" }',
    '1:11 server.data: has a “${” that does not name a variable; write “$${” for a literal “${”',
  ],
  [
    'providers: { openai: { api_key: "${" } }',
    '1:24 providers.openai.api_key: has a “${” that does not name a variable; write “$${” for a literal “${”',
  ],
  // YAML itself
  ['echo: true\necho: false', '2:1 echo: is a duplicate key'],
  ['aliases: *a', '1:1 aliases: refers to an anchor that is not defined before it'],
  [
    'echo: [',
    '1:8 this is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
];

for (const [text, line] of REFUSED) {
  test(`${JSON.stringify(text)} is refused`, () => {
    const error = refusal(text);
    assert.ok(error.message.split('\n').includes(`headgate.yaml:${line}`), error.message);
  });
}

test('all problems are told at once, each in its line, in the order of the file', () => {
  const error = refusal('timeouts: { idle: x }\nserver: { port: -1, hots: a }\naliases: { a: b b }\n');
  assert.deepEqual(error.message.split('\n'), [
    'headgate.yaml:1:13 timeouts.idle: must be a duration such as 30s, from 1ms to 24d',
    'headgate.yaml:2:11 server.port: must be a whole number, from 0 to 65535',
    'headgate.yaml:2:21 server.hots: is not a setting (did you mean “host”?)',
    'headgate.yaml:3:12 aliases.a: must be a name of 1 to 256 characters of ASCII, without spaces and *',
  ]);
  const [first] = error.problems;
  const expected: Problem = {
    file: 'headgate.yaml',
    line: 1,
    column: 13,
    path: 'timeouts.idle',
    message: 'must be a duration such as 30s, from 1ms to 24d',
  };
  assert.deepEqual(first, expected);
});

test('a ring of aliases is told of each that is in it or leads into it', () => {
  const { problems } = refusal('aliases: { a: b, b: c, c: b, d: echo }');
  assert.deepEqual(
    problems.map(({ path, message }) => [path, message]),
    [
      ['aliases.a', 'never leads to a model: a → b → c → b'],
      ['aliases.b', 'never leads to a model: b → c → b'],
      ['aliases.c', 'never leads to a model: c → b → c'],
    ],
  );
});

const VARIABLES: [variable: string, value: string, message: string][] = [
  ['HEADGATE_HOST', 'a b', 'must be an address or a host name to listen on, without a port'],
  ['HEADGATE_PORT', '99999', 'must be a whole number, from 0 to 65535'],
  ['HEADGATE_PORT', 'http', 'must be a whole number, from 0 to 65535'],
  ['HEADGATE_WORKERS', '0', 'must be a whole number, from 1 to 64'],
  ['HEADGATE_WORKERS', '65', 'must be a whole number, from 1 to 64'],
  ['HEADGATE_HTTP_LAYER', 'quick', 'must be one of fast, node'],
  ['HEADGATE_LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, trace, silent'],
  ['HEADGATE_METRICS_TOKEN', 'a b', 'must be printable ASCII without spaces'],
  ['HEADGATE_PEPPER', 'too-short', 'must have at least 32 characters'],
  ['HEADGATE_WRAPPING_KEY', 'too-short', 'must have at least 32 characters'],
  ['HEADGATE_WRAPPING_KEY_BEFORE', 'too-short', 'must have at least 32 characters'],
];

for (const [variable, value, message] of VARIABLES) {
  test(`${variable}=${value} is refused by its name, with a file and without`, () => {
    for (const text of [null, 'echo: true']) {
      const error = refusal(text, { [variable]: value });
      assert.equal(error.message, `${variable}: ${message}`);
      assert.deepEqual(error.problems, [{ file: null, line: null, column: null, path: variable, message }]);
    }
  });
}

for (const text of ['', ' \n\t\n', '# all that is left\n', '---\n', '~', '\u{feff}']) {
  test(`a file of ${JSON.stringify(text)} has no setting, and is refused`, () => {
    assert.equal(refusal(text).message, 'headgate.yaml:1:1 the file has no settings; write {} to use all defaults');
  });
}

test('problems of the environment come before those of the file, even one that cannot be read', () => {
  const lines = refusal('echo: [', { HEADGATE_PORT: 'x' }).message.split('\n');
  assert.match(lines[0]!, /^HEADGATE_PORT: /);
  assert.match(lines[1]!, /^headgate\.yaml:1:8 /);
});

test('what is refused is never quoted', () => {
  const text =
    'providers:\n  x: { base_url: "http://me:hidden@x", api_key: [hidden], headers: { a: "hidden\\n" }, label: " hidden" }\n';
  const error = refusal(text, { HEADGATE_PEPPER: 'hidden', HEADGATE_METRICS_TOKEN: 'hidden hidden' });
  assert.equal(error.problems.length, 6);
  assert.doesNotMatch(JSON.stringify([error.message, error.problems]), /hidden/);
});

test('there must be an open call, an idle connection, and a call at each provider, for each worker', () => {
  for (const setting of [
    'limits: { max_open_calls: 2 }',
    'limits: { max_idle_connections: 2 }',
    'providers: { openai: { max_concurrency: 2 } }',
  ]) {
    const text = `server: { workers: 3 }\n${setting}`;
    const read = (env: Record<string, string>) => readConfig({ text, file: null, env, presets: PRESETS, built: [] });
    assert.throws(() => read({}), /:2:\d+ .*must be at least 3, the number of workers that share it/);
    assert.equal(read({ HEADGATE_WORKERS: '2' }).config.server.workers, 2);
  }
});
