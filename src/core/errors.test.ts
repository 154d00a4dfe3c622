import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openAiErrorBody } from './error-body.ts';
import { ERROR_KINDS, type ErrorKind, type ErrorRow, GatewayError } from './errors.ts';

const DOCUMENT = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const rows = Object.entries(ERROR_KINDS) as [ErrorKind, ErrorRow][];

test('docs/errors.md has a row for each kind, exact and in order, and no other', () => {
  const documented = DOCUMENT.split('\n').filter((line) => line.startsWith('| `'));
  assert.deepEqual(documented, rows.map(documentedRow));
});

function documentedRow([kind, { status, type, code, retryable, meaning }]: [ErrorKind, ErrorRow]): string {
  const codeCell = code === null ? 'the provider’s' : `\`${code}\``;
  return `| \`${kind}\` | ${status} | \`${type}\` | ${codeCell} | ${retryable ? 'yes' : 'no'} | ${meaning} |`;
}

test('an error takes status, type, code and retryability from its kind', () => {
  for (const [kind, row] of rows) {
    const { meaning: _, ...expected } = row;
    const { status, type, code, retryable, param, retryAfterMs } = new GatewayError(kind, 'words');
    assert.deepEqual({ status, type, code, retryable }, expected);
    assert.deepEqual([param, retryAfterMs], [null, undefined]);
  }
});

test('details go before the kind, also a code of null', () => {
  const details = { status: 422, type: 't', code: null, param: 'a.b', retryAfterMs: 5 };
  const { status, type, code, param, retryAfterMs, retryable } = new GatewayError('upstream_rate_limited', '', details);
  assert.deepEqual({ status, type, code, param, retryAfterMs }, details);
  assert.equal(retryable, true);
});

test('a body has all four members and nothing of the cause', () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.1:443');
  const body = openAiErrorBody(new GatewayError('upstream_unreachable', 'It “failed”.', { cause }));
  assert.equal(
    body,
    '{"error":{"message":"It “failed”.","type":"server_error","param":null,"code":"upstream_unreachable"}}',
  );
});

test('every status is an error’s, and only what is worth a repeat says so', () => {
  for (const [kind, { status, retryable }] of rows) {
    assert.ok(status >= 400 && status < 600, kind);
    if (retryable) assert.ok([408, 429].includes(status) || status >= 500, kind);
  }
});
