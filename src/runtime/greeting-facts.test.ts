import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListState } from '../core/target-status.ts';
import { buildDirectory } from '../routing/directory.ts';
import { model, provider, route } from '../testing/routes.ts';
import { exampleModel } from './greeting-facts.ts';

const served = (id: string, name: string) => ({
  provider: provider(id, { transport: id === 'echo' ? 'echo' : 'http' }),
  models: [model(name)],
});

const ALIASES = new Map([['default', 'lab-small']]);
const PROVIDERS = [served('vendor', 'gpt-6-mini'), served('lab', 'lab-small'), served('echo', 'echo')];

const said = (states: Record<string, ListState>) =>
  Object.entries(states).map(([provider, list]) => ({ provider, list, refusedCredentials: [] }));

test('a start shows a model of a provider that has not just failed', () => {
  const directory = buildDirectory(PROVIDERS, { aliases: ALIASES });
  const shown = (vendor: ListState, lab: ListState) => exampleModel(directory, said({ vendor, lab }));
  assert.equal(shown('listed', 'listed'), 'default', 'what the operator calls so');
  assert.equal(shown('unheard', 'unheard'), 'default', 'nobody waits for an answer');
  assert.equal(shown('listed', 'failed'), 'gpt-6-mini');
  assert.equal(shown('key_refused', 'failed'), 'echo');
});

test('without the built-in model, one that may not answer is better than none', () => {
  const directory = buildDirectory(PROVIDERS.slice(0, 2), { aliases: ALIASES });
  assert.equal(exampleModel(directory, said({ vendor: 'key_refused', lab: 'failed' })), 'default');
  assert.equal(exampleModel(buildDirectory([]), []), null);
});

test('a route is shown as long as one of its targets may answer', () => {
  const directory = buildDirectory(PROVIDERS, { routes: [route(['lab-small', 'gpt-6-mini'])] });
  assert.equal(exampleModel(directory, said({ vendor: 'listed', lab: 'failed' })), 'acme/auto');
  assert.equal(exampleModel(directory, said({ vendor: 'failed', lab: 'failed' })), 'echo');
});
