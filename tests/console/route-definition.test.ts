import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { targetWith, withMember } from '../../console/src/pages/routes/editor/definition.ts';

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

test('what has no lines of its own is left alone', () => {
  const definition = { targets: ['echo'] };
  assert.equal(withMember('{ targets: [echo] }\n', definition, 'strategy', ['cheapest']), null);
  assert.equal(withMember('routes:\n  acme/fast:\n    targets: [echo]\n', definition, 'strategy', ['cheapest']), null);
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
