// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DraftInput, readDraft } from './draft.ts';
import { ConfigError } from './problems.ts';
import type { ReadRoute } from './routes.ts';

const CONTEXT = {
  routes: ['acme/auto', 'acme/fast'],
  aliases: new Map([['me', 'a']]),
  models: new Map(),
  maxTargets: 100,
};

function read(text: string, id = 'acme/fast', env: DraftInput['env'] = {}): ReadRoute {
  return readDraft({ text, file: 'draft.yaml', env, id, context: CONTEXT });
}

function refusal(text: string, id?: string): string {
  try {
    read(text, id);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
  return assert.fail('was not refused');
}

test('one definition, a map of routes and a whole configuration are the same draft', () => {
  const alone = read('targets: [a, b]\nstrategy: [fastest]');
  assert.equal(alone.route.id, 'acme/fast');
  assert.deepEqual(alone.route.strategy, [{ kind: 'fastest' }]);
  assert.deepEqual(read('routes: { acme/fast: { strategy: [fastest], targets: [a, b] } }'), alone);
  const whole = 'providers: { x: { api_key: "${NOPE}" }, nonsense: 5 }\nroutes:\n  acme/auto: 7\n  acme/fast:\n';
  assert.deepEqual(
    read(`${whole}    { targets: ["\${FIRST}", b], strategy: [fastest] }`, 'acme/fast', { FIRST: 'a' }),
    alone,
  );
});

test('a draft of the system route stands at the top', () => {
  assert.equal(read('system: { targets: [a] }', 'system').route.origin, 'system_route');
  assert.equal(read('targets: [a]', 'system').route.origin, 'system_route');
});

const REFUSED: [text: string, id: string, message: string][] = [
  [
    'routes: { acme/fst: { targets: [a] } }',
    'acme/fast',
    '1:1 routes.acme/fast: is not in this file (did you mean “acme/fst”?)',
  ],
  ['routes: { acme/fast: { targets: [a] } }', 'system', '1:1 system: is not in this file'],
  ['target: [a]', 'r', '1:1 target: is not a setting (did you mean “targets”?)'],
  ['- a', 'r', '1:1 must be a map of settings, not a list'],
  ['targets: [acme/fast]', 'r', '1:11 targets[0]: names the route acme/fast; it must name a model'],
  ['targets:\n  - me', 'r', '2:5 targets[0]: names the alias me; it must name a model, such as a'],
  ['targets: ["${NOPE}"]', 'r', '1:11 targets[0]: names NOPE, which is not set in the environment'],
  ['targets: ["${"]', 'r', '1:11 targets[0]: has a “${” that does not name a variable; write “$${” for a literal “${”'],
  [
    'routes:\n  r: { targets: [a], quality: 1 }',
    'r',
    '2:22 routes.r.quality: needs the strategy smart, which this route does not use',
  ],
  ['system: { targets: [a], price: {} }', 'system', '1:25 system.price: is not a setting'],
];

for (const [text, id, message] of REFUSED) {
  test(`the draft ${JSON.stringify(text)} of ${id} is refused`, () => {
    assert.ok(refusal(text, id).split('\n').includes(`draft.yaml:${message}`), refusal(text, id));
  });
}

test('a draft that is no YAML is refused with its place', () => {
  assert.match(refusal('targets: ['), /^draft\.yaml:1:\d+ this is not valid YAML/);
});
