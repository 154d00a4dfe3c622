import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ModelTraits, traitsOf } from './models.ts';

const NAMES: readonly [name: string, ...ModelTraitsRow][] = [
  ['claude-2.1', 'never', 'unsaid', 'all', 'always', false],
  ['claude-instant-1.2', 'never', 'unsaid', 'all', 'always', false],
  ['claude-3-opus-20240229', 'never', 'unsaid', 'all', 'always', false],
  ['claude-3-5-haiku-latest', 'never', 'unsaid', 'all', 'always', false],
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'never', 'unsaid', 'all', 'always', false],
  ['claude-3-7-sonnet-20250219', 'budget', 'unsaid', 'all', 'unthinking', false],
  ['claude-3.7-sonnet', 'budget', 'unsaid', 'all', 'unthinking', false],
  ['claude-opus-4-20250514', 'budget', 'unsaid', 'all', 'unthinking', false],
  ['claude-sonnet-4@20250514', 'budget', 'unsaid', 'all', 'unthinking', false],
  ['claude-opus-4-1-20250805', 'budget', 'unsaid', 'all', 'unthinking', true],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'budget', 'unsaid', 'one', 'unthinking', true],
  ['anthropic/claude-haiku-4.5', 'budget', 'unsaid', 'one', 'unthinking', true],
  ['claude-opus-4-6', 'adaptive', 'unsaid', 'one', 'unthinking', true],
  ['claude-sonnet-4-6', 'adaptive', 'unsaid', 'one', 'unthinking', true],
  ['claude-opus-4-7', 'adaptive', 'unsaid', 'none', 'unthinking', true],
  ['claude-opus-4-8[1m]', 'adaptive', 'unsaid', 'none', 'unthinking', true],
  ['claude-opus-5', 'adaptive', 'disabled', 'none', 'always', true],
  ['claude-opus-5-5', 'adaptive', 'low', 'none', 'never', true],
  ['claude-sonnet-5', 'adaptive', 'disabled', 'none', 'always', true],
  ['claude-sonnet-5-5', 'adaptive', 'between_tools', 'none', 'never', true],
  ['claude-haiku-5-5', 'adaptive', 'disabled', 'none', 'always', true],
  ['claude-fable-5', 'adaptive', 'low', 'none', 'always', true],
  ['claude-fable-5-2', 'adaptive', 'low', 'none', 'never', true],
  ['claude-mythos-5-2', 'adaptive', 'low', 'none', 'never', true],
  ['claude-mythos-preview', 'adaptive', 'low', 'none', 'always', true],
  ['kimi-k2', 'adaptive', 'disabled', 'all', 'unthinking', true],
  ['Claude', 'adaptive', 'disabled', 'all', 'unthinking', true],
];

type ModelTraitsRow = [
  ModelTraits['thinks'],
  ModelTraits['thinksNot'],
  ModelTraits['sampling'],
  ModelTraits['forcedTools'],
  ModelTraits['schemas'],
];

for (const [name, ...row] of NAMES) {
  test(`what ${name} takes`, () => {
    const { thinks, thinksNot, sampling, forcedTools, schemas } = traitsOf(name);
    assert.deepEqual([thinks, thinksNot, sampling, forcedTools, schemas], row);
  });
}

test('system text between turns is for models that are known to take it', () => {
  const taking = ['claude-opus-4-8', 'claude-sonnet-5', 'claude-fable-5-1'];
  for (const name of taking) assert.equal(traitsOf(name).systemTurns, true, name);
  for (const name of ['claude-opus-4-7', 'claude-sonnet-4-6', 'm'])
    assert.equal(traitsOf(name).systemTurns, false, name);
});
