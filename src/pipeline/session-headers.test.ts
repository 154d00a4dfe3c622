import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveProvider } from '../providers/resolve.ts';
import { sessionHeaders } from './session-headers.ts';

function forwarded(preset: string, sent: Record<string, string>, headers: Record<string, string> = {}) {
  const settings = { id: 'p', preset, label: null, dialects: null, region: null, concurrency: null };
  const provider = resolveProvider({ ...settings, headers, baseUrl: 'http://vendor.test/v1' }, null);
  return sessionHeaders(provider, { header: (name) => sent[name] });
}

test('a session goes on under the name that the vendor reads', () => {
  assert.deepEqual(forwarded('zai', { 'x-session-id': 'a' }), ['x-session-id', 'a']);
  assert.deepEqual(forwarded('xai', { 'x-grok-conv-id': 'a', 'x-session-id': 'b' }), ['x-grok-conv-id', 'a']);
  assert.deepEqual(forwarded('xai', { 'x-claude-code-session-id': 'c' }), ['x-grok-conv-id', 'c']);
  assert.deepEqual(forwarded('fireworks', { session_id: 'd' }), ['x-session-affinity', 'd']);
  assert.deepEqual(forwarded('openrouter', { 'x-session-affinity': 'e' }), ['x-session-id', 'e']);
});

test('no vendor gets it that does not read it, nor anything that is no name of a session', () => {
  for (const vendor of ['openai', 'anthropic', 'deepseek', 'groq', 'openai-compatible'])
    assert.deepEqual(forwarded(vendor, { 'x-session-id': 'a', 'x-grok-conv-id': 'b' }), [], vendor);
  assert.deepEqual(forwarded('zai', { cookie: 'a', 'x-user-id': 'b', 'x-forwarded-for': 'c' }), []);
  for (const id of ['', 'a b', 'a'.repeat(257), 'ä']) assert.deepEqual(forwarded('zai', { 'x-session-id': id }), []);
});

test('what the operator sets for the provider holds', () => {
  assert.deepEqual(forwarded('zai', { 'x-session-id': 'a' }, { 'x-session-id': 'fixed' }), []);
});
