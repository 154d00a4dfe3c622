import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pythonFiles } from '../../clients/openapi/python.ts';
import { GENERATED, typescript } from '../../clients/openapi/typescript.ts';

test('the JavaScript client’s resources are those of /openapi.json: `node clients/openapi/typescript.ts` writes them anew', () => {
  assert.equal(readFileSync(GENERATED, 'utf8'), typescript());
});

test('the Python client has the version of the gateway', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Versioned;
  const source = readFileSync(new URL('../../clients/python/src/headgate/__init__.py', import.meta.url), 'utf8');
  assert.ok(source.includes(`__version__ = "${version}"`));
});

type Versioned = { version: string };

for (const [address, text] of pythonFiles()) {
  const name = address.pathname.split('/').at(-1);
  test(`${name} of the Python client is that of /openapi.json: \`node clients/openapi/python.ts\` writes it anew`, () => {
    assert.equal(readFileSync(address, 'utf8'), text);
  });
}
