import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import {
  besideForm,
  mapWith,
  strategyOf,
  strategyWith,
  targetWith,
  withMember,
} from '../../console/src/pages/routes/editor/definition.ts';

const TYPED = `# Who answers our users.
name: Acme Fast
strategy:
  - rules:
      - { when: { tools: true }, use: [lab-large] }
  - cheapest
# In the order of their prices.
targets:
  - lab-small # our own
  - { model: lab-large, weight: 2 }
price: { input_per_1m: 0.2 }
`;

test('the form writes a member of what was typed, and leaves all other lines as they are', () => {
  const before = parse(TYPED) as Record<string, unknown>;
  const cases: [name: string, value: unknown][] = [
    ['strategy', ['weighted']],
    ['targets', ['a', 'on', '1.5', 'maker/model-1', { model: 'x: y', weight: 3 }, '#hash', '- dash', 'ünïcode', '{x}']],
    ['fallbacks', ['openai/gpt-4o-mini']],
    ['price', undefined],
  ];
  for (const [name, value] of cases) {
    const text = withMember(TYPED, before, name, value)!;
    const { [name]: _, ...others } = before;
    assert.deepEqual(parse(text), value === undefined ? others : { ...others, [name]: value }, text);
    assert.match(text, /^# Who answers our users\.\nname: Acme Fast\n/);
    if (name !== 'targets') assert.match(text, / {2}- lab-small # our own\n/);
  }
});

test('rules have a line each, and stand before the word that decides among the others', () => {
  const before = parse(TYPED) as Record<string, unknown>;
  const { rules, word } = strategyOf(before)!;
  assert.deepEqual([rules, word], [[{ when: { tools: true }, use: ['lab-large'] }], 'cheapest']);
  const more = [...rules, { when: { prompt_tokens: { above: 1000 } }, use: ['lab-large'], only: true }];
  const text = withMember(TYPED, before, 'strategy', strategyWith(more, 'fastest'))!;
  assert.deepEqual(parse(text), { ...before, strategy: [{ rules: more }, 'fastest'] });
  assert.match(
    text,
    /\nstrategy:\n {2}- rules:\n {6}- \{ when: .*\n {6}- \{ when: .*only: true \}\n {2}- fastest\n# In the order/,
  );
  assert.deepEqual(strategyOf({}), { rules: [], word: 'priority' });
  assert.deepEqual(strategyOf({ strategy: [{ rules }] }), { rules, word: 'priority' });
  assert.deepEqual(strategyWith([], 'smart'), ['smart']);
  for (const more of [['cheapest', 'fastest'], [{ rules }, 'cheapest', 'fastest'], [{ weighted: { sticky: true } }]])
    assert.equal(strategyOf({ strategy: more }), null, 'what is more than that stays in the text');
});

test('what the form does not show is named', () => {
  const limits = { attempts: 2, total: '30s' };
  const definition = { targets: ['a'], limits, price: { input_per_1m: 1, date: '2026-11-21' }, regions: ['eu'] };
  assert.deepEqual(besideForm({ ...definition, quality: undefined }), ['limits.total', 'price.date', 'regions']);
  const inherited = { constructor: { a: 1 }, toString: ['b'] };
  assert.deepEqual(besideForm({ ...inherited, limits: inherited }), [
    ...['constructor', 'toString', 'limits.constructor', 'limits.toString'],
  ]);
  assert.deepEqual(mapWith(limits, 'attempts', undefined), { total: '30s' });
  assert.equal(mapWith({ attempts: 2 }, 'attempts', undefined), undefined);
});

test('comments at the margin are of the list that they stand in, unless another member follows them', () => {
  const text = '# Ours.\ntargets:\n  - a\n# The dear one.\n\n  - b\n\n# Last.\nprice: { input_per_1m: 1 }\n# End.\n';
  const before = parse(text) as Record<string, unknown>;
  assert.equal(
    withMember(text, before, 'targets', ['a']),
    '# Ours.\ntargets:\n  - a\n\n# Last.\nprice: { input_per_1m: 1 }\n# End.\n',
  );
  assert.equal(
    withMember(text, before, 'price', undefined),
    '# Ours.\ntargets:\n  - a\n# The dear one.\n\n  - b\n\n# Last.\n# End.\n',
  );
});

test('what has no lines of its own is left alone', () => {
  const definition = { targets: ['echo'] };
  assert.equal(withMember('{ targets: [echo] }\n', definition, 'strategy', ['cheapest']), null);
  assert.equal(withMember('routes:\n  acme/fast:\n    targets: [echo]\n', definition, 'strategy', ['cheapest']), null);
  assert.equal(withMember('---\ntargets: [echo]\n...\n', definition, 'strategy', ['cheapest']), null);
  assert.equal(
    withMember('targets: [echo]', definition, 'strategy', ['cheapest']),
    'targets: [echo]\nstrategy: [cheapest]\n',
  );
});

test('a target is a name until there is more to say of it', () => {
  assert.deepEqual(targetWith('a', { weight: 2 }), { model: 'a', weight: 2 });
  assert.equal(targetWith({ model: 'a', weight: 2 }, { weight: null }), 'a');
  assert.deepEqual(targetWith({ model: 'a', credential: 'own', weight: 2 }, { model: 'b' }), {
    ...{ model: 'b', credential: 'own', weight: 2 },
  });
});
