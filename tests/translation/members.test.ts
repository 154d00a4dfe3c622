import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../src/core/call.ts';
import { GatewayError } from '../../src/core/errors.ts';
import type { DialectId } from '../../src/core/provider.ts';
import { BLOCKS } from '../../src/dialects/anthropic-messages/members.ts';
import { DIALECTS } from '../../src/dialects/built.ts';
import type { Dialect } from '../../src/dialects/dialect.ts';
import { type Fate, fateOf, type MemberShape } from '../../src/dialects/members.ts';
import { EVENTS, ITEMS } from '../../src/dialects/openai-responses/members.ts';
import { TABLES } from '../vendors/members/places.ts';

/** The tables of members against the readers that they speak of. */
const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };
const USER = [{ role: 'user', content: 'Hi' }];
const FORMATS: readonly { name: string; id: DialectId; body: Readonly<Record<string, unknown>> }[] = [
  { name: 'chat completions', id: 'openai-chat', body: { model: 'm', messages: USER } },
  { name: 'responses', id: 'openai-responses', body: { model: 'm', input: USER } },
  { name: 'messages', id: 'anthropic-messages', body: { model: 'm', max_tokens: 9, messages: USER } },
];

for (const { name, id, body } of FORMATS) {
  const { request } = TABLES[name]!;

  test(`${name}: members of a call are told, left out or refused as their table says`, () => {
    for (const [member, fate] of request.members!) {
      if (fate === 'read' || typeof fate === 'object') continue;
      const call = read(id, { ...body, [member]: { odd: 1, type: 'create' } });
      assert.equal(fateOfMember(call, member), fate, member);
    }
  });

  test(`${name}: a member that is in no table is told`, () => {
    const call = read(id, { ...body, of_tomorrow: 1 });
    assert.equal(fateOfMember(call, 'of_tomorrow'), 'reported');
  });

  test(`${name}: a tool is of its own format alone where its table says so`, () => {
    const shape = request.members!.get('tools') as MemberShape;
    for (const kind of shape.kinds!.keys()) {
      const declared = { type: kind, name: 'n', execution: 'client', input_schema: {}, tools: [FUNCTION] };
      const call = read(id, { ...body, tools: [declared] });
      assert.ok(!(call instanceof GatewayError), kind);
      assert.equal(call.tools[0]?.kind === 'native', fateOf(shape, kind) === 'native', kind);
    }
  });
}

const FUNCTION = { type: 'function', name: 'n', parameters: { type: 'object' } };

test('responses: items are read, kept whole, told or refused as their table says', () => {
  for (const kind of ITEMS.kinds!.keys()) {
    const item = { ...ANY_ITEM, type: kind };
    const call = read('openai-responses', { model: 'm', input: [...USER, item] });
    assert.equal(fateWithin(call, `input.${kind}`), fateOf(ITEMS, kind), kind);
  }
});

const ANY_ITEM = {
  ...{ id: 'i', call_id: 'c', name: 'n', role: 'user', content: 'x', execution: 'client', output: '' },
  ...{ encrypted_content: 'e', summary: [], tools: [], action: { commands: ['ls'] }, operation: {}, arguments: '{}' },
};

test('messages: blocks are read or kept whole as their table says', () => {
  for (const kind of BLOCKS.kinds!.keys()) {
    const source = kind === 'image' ? { type: 'url', url: 'https://a.invalid' } : { type: 'text', data: 'x' };
    const block = { type: kind, id: 'i', tool_use_id: 'i', name: 'n', text: 'x', thinking: '', data: 'd', source };
    const content = kind === 'search_result' ? { ...block, source: 's', title: 't', content: [] } : block;
    const role = kind === 'tool_use' || kind.endsWith('thinking') ? 'assistant' : 'user';
    const call = read('anthropic-messages', { model: 'm', max_tokens: 9, messages: [{ role, content: [content] }] });
    assert.equal(fateWithin(call, `messages.${kind}`), fateOf(BLOCKS, kind), kind);
  }
});

test('responses: events without a place elsewhere are told or silent as their table says', () => {
  for (const [type, fate] of EVENTS.kinds!) {
    if (fate === 'read') continue;
    const reader = dialectOf('openai-responses').translation!.readEvents();
    const event = { type, item_id: 'i', output_index: 0, delta: 'x', part: { type: 'summary_text', text: '' } };
    const begun = reader.push({ event: type, data: JSON.stringify(event) });
    assert.deepEqual(
      begun.map(({ kind }) => kind),
      ['start'],
      type,
    );
    const response = { status: 'completed', output: [], usage: null };
    const data = JSON.stringify({ type: 'response.completed', response });
    const [finish] = reader.push({ event: 'response.completed', data });
    assert.ok(finish?.kind === 'finish');
    assert.deepEqual(finish.omitted, fate === 'reported' ? [type] : undefined, type);
  }
});

function read(id: DialectId, body: object): Call | GatewayError {
  const dialect = dialectOf(id);
  try {
    return dialect.translation!.readCall(dialect.inbound.readEnvelope(Buffer.from(JSON.stringify(body)), LIMITS));
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function dialectOf(id: DialectId): Dialect {
  return DIALECTS.find((dialect) => dialect.id === id)!;
}

function fateOfMember(call: Call | GatewayError, member: string): Fate {
  if (call instanceof GatewayError) return 'refused';
  return Object.hasOwn(call.extra?.fields ?? {}, member) ? 'reported' : 'silent';
}

function fateWithin(call: Call | GatewayError, name: string): Fate {
  if (call instanceof GatewayError) return 'refused';
  if (call.omitted?.includes(name)) return 'reported';
  const parts = call.messages.flatMap((message) => message.parts.map(({ kind }) => kind as string));
  return parts.includes('native') ? 'native' : 'read';
}
