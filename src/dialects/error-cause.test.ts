import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInnerError, readVendorError } from './vendor-errors.ts';

test('the cause that a vendor tells beside its message is told', () => {
  const nested = {
    error: { message: 'Provider returned error', metadata: { raw: { message: 'The window is full of tools' } } },
  };
  const causes: readonly [error: object, cause: RegExp][] = [
    [
      { metadata: { raw: '{"error":{"message":"Only 1 image is taken"}}', provider_name: 'Acme' } },
      /\(Acme: Only 1 image is taken\)/,
    ],
    [{ metadata: { raw: { error: { message: 'Only 1 image is taken' } } } }, /\(Only 1 image is taken\)/],
    [{ metadata: { raw: 'upstream said no' } }, /\(upstream said no\)/],
    [{ metadata: { raw: JSON.stringify(nested) } }, /\(The window is full of tools\)/],
    [{ metadata: { reasons: ['violence'] } }, /\(\["violence"\]\)/],
    [{ failed_generation: '<function=find>' }, /\(failed_generation: <function=find>\)/],
    [
      { innererror: { code: 'Policy', content_filter_result: { jailbreak: { filtered: true } } } },
      /innererror: \{"code":"Policy".*jailbreak/,
    ],
    [
      { details: [{ fieldViolations: [{ field: 'tools[0]', description: 'has no name' }] }] },
      /\(tools\[0\]: has no name\)/,
    ],
  ];
  for (const [more, cause] of causes) {
    const body = { error: { message: 'Refused', code: 'c', ...more } };
    assert.match(readVendorError(400, {}, JSON.stringify(body)).message, cause);
    assert.match(readInnerError(body).message, cause);
    assert.equal(readVendorError(400, {}, JSON.stringify(body)).code, 'c');
  }
});

test('a cause that the message says, or that is not there, is not told again', () => {
  for (const more of [
    { failed_generation: '' },
    { metadata: { raw: 'Refused' } },
    { innererror: null },
    { details: ['x'] },
    { metadata: 7 },
  ]) {
    const body = JSON.stringify({ error: { message: 'Refused', ...more } });
    assert.equal(readVendorError(400, {}, body).message, 'Refused', body);
  }
});

test('causes take 2,000 characters at most, and an error within errors ends somewhere', () => {
  const long = readVendorError(
    400,
    {},
    JSON.stringify({ error: { message: 'm', failed_generation: 'x'.repeat(9000) } }),
  );
  assert.ok(long.message.length < 2100, String(long.message.length));
  let raw: unknown = 'the deepest';
  for (let level = 0; level < 10; level += 1) raw = JSON.stringify({ error: { metadata: { raw } } });
  assert.ok(
    readVendorError(400, {}, JSON.stringify({ error: { message: 'm', metadata: { raw } } })).message.length < 2100,
  );
});
