import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VendorRequest } from './reply.ts';
import { refusalOf } from './strictness.ts';

const CHAT = '/v1/chat/completions';
const RESPONSES = '/v1/responses';
const MESSAGES = '/v1/messages';

const user = (content: unknown) => ({ role: 'user', content });
const chatCall = (id: string) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
});
const chatResult = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'found' });
const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'found' });
const text = { type: 'text', text: 'Hi' };
const item = (type: string, id: string) => ({ type, call_id: id, name: 'f' });

function isRefused(path: string, json: object): boolean {
  return refusalOf({ path, json, headers: {} } as unknown as VendorRequest) !== null;
}

const TAKEN: readonly [path: string, body: object][] = [
  [CHAT, { messages: [user('Hi'), chatCall('a'), chatResult('a'), user('Go on')] }],
  [CHAT, { messages: [user('Hi'), chatCall('a'), chatResult('a'), chatCall('b'), chatResult('b')] }],
  [MESSAGES, { messages: [user('Hi'), use('a'), user([result('a'), text])] }],
  [RESPONSES, { input: [item('function_call', 'a'), item('function_call_output', 'a')] }],
  [RESPONSES, { input: [{ ...item('function_call', 'a'), async: true }] }],
  [RESPONSES, { input: 'Hi' }],
];

const REFUSED: readonly [path: string, body: object][] = [
  [CHAT, { messages: [user('Hi'), { role: 'system', content: 'Be brief' }] }],
  [CHAT, { messages: [user('Hi'), chatCall('a')] }],
  [CHAT, { messages: [user('Hi'), chatCall('a'), user('Go on')] }],
  [CHAT, { messages: [user('Hi'), chatCall('a'), user('Go on'), chatResult('a')] }],
  [CHAT, { messages: [user('Hi'), chatResult('a')] }],
  [CHAT, { messages: [user('Hi'), chatCall('a'), chatResult('b')] }],
  [MESSAGES, { messages: [user('Hi'), use('a')] }],
  [MESSAGES, { messages: [user('Hi'), use('a'), user('Go on')] }],
  [MESSAGES, { messages: [user('Hi'), use('a'), user([text, result('a')])] }],
  [MESSAGES, { messages: [user([result('a')])] }],
  [MESSAGES, { messages: [user([{ type: 'text', text: ' ' }])] }],
  [RESPONSES, { input: [item('function_call', 'a')] }],
  [RESPONSES, { input: [item('function_call_output', 'a')] }],
  [RESPONSES, { tools: [{ type: 'function', name: 'a.b', parameters: { type: 'object', properties: {} } }] }],
];

test('the fake vendor takes calls with their results', () => {
  for (const [path, body] of TAKEN) assert.equal(isRefused(path, body), false, JSON.stringify(body));
});

test('it refuses what the strictest of real vendors refuses', () => {
  for (const [path, body] of REFUSED) assert.equal(isRefused(path, body), true, JSON.stringify(body));
});
