import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { MemberShape } from '../../src/dialects/members.ts';
import { placesOf } from './members/places.ts';
import { unknownMembers } from './members/sdk-types.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(ROOT, 'tests/vendors/members/run.ts');
const folder = mkdtempSync(join(tmpdir(), 'headgate-clients-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('every member that the pinned clients of vendors know is in a table', () => {
  assert.deepEqual(unknownMembers(placesOf(), ROOT), []);
});

test('a member, kind or word that is in no table is found, however deep it is', () => {
  const places = placesOf().map((place) => ({ ...place, shape: without(place.shape, REMOVED) }));
  const unknown = unknownMembers(places, ROOT);
  for (const line of FOUND) assert.ok(unknown.includes(line), `${line}\n${unknown.join('\n')}`);
});

const REMOVED = new Set([
  ...['moderation', 'async', 'configuration_update', 'response.compaction.compacting', 'prompt_cache_breakpoint'],
  ...[
    'model_context_window_exceeded',
    'max_messages',
    'web_fetch_20260318',
    'overloaded_error',
    'thread',
    'redacted_thinking',
  ],
  ...['function_call', 'dimensions', 'signature_delta'],
]);
const FOUND = [
  'chat completions, request: moderation',
  'chat completions, response: choices.finish_reason "function_call"',
  'chat completions, events: choices.delta.function_call',
  'responses, request: input[configuration_update]',
  'responses, request: input[function_call]',
  'responses, request: input[message].content[input_image].prompt_cache_breakpoint',
  'responses, request: tools[function].async',
  'responses, request: tools[namespace].tools[custom].async',
  'responses, response: incomplete_details.reason "max_messages"',
  'responses, events:[response.compaction.compacting]',
  'messages, request: thread',
  'messages, request: tools[web_fetch_20260318]',
  'messages, response:[message].stop_reason "model_context_window_exceeded"',
  'messages, events:[content_block_start].content_block[redacted_thinking]',
  'messages, events:[content_block_delta].delta[signature_delta]',
  'messages, errors:[overloaded_error]',
  'embeddings, request: dimensions',
];

/** A table without all entries of these names. */
function without(shape: MemberShape, names: ReadonlySet<string>): MemberShape {
  const copied = Object.entries(shape).map(([part, entries]) => {
    const left = [...entries].filter(([name]) => !names.has(name));
    return [
      part,
      new Map(left.map(([name, entry]) => [name, typeof entry === 'object' ? without(entry, names) : entry])),
    ];
  });
  return Object.fromEntries(copied) as MemberShape;
}

test('`vendors:check --sdk DIR` reads the clients there, and ends with 1 where they know more', () => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@anthropic-ai'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/@anthropic-ai/sdk'), join(modules, '@anthropic-ai/sdk'));
  for (const part of [
    'package.json',
    'resources',
    'core',
    'internal',
    'lib',
    'client.d.ts',
    'index.d.ts',
    'error.d.ts',
  ]) {
    cpSync(join(ROOT, 'node_modules/openai', part), join(modules, 'openai', part), {
      recursive: true,
      filter: (path) => !/\.(?:m?js|map|mts)$/.test(path),
    });
  }
  assert.equal(check().status, 0);
  const file = join(modules, 'openai/resources/embeddings.d.ts');
  const told = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    told.replace('interface EmbeddingCreateParams {', 'interface EmbeddingCreateParams { mood?: string;'),
  );
  const { status, stdout } = check();
  assert.equal(status, 1);
  assert.match(stdout, /^embeddings, request: mood$/m);
});

function check() {
  return spawnSync(process.execPath, [COMMAND, '--sdk', folder], { cwd: ROOT, encoding: 'utf8' });
}
