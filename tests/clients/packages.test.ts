import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import root from '../../package.json' with { type: 'json' };

type Package = { version: string; license: string; type: string; dependencies?: object; publishConfig: object };

for (const name of ['javascript', 'ai-sdk']) {
  const folder = new URL(`../../clients/${name}/`, import.meta.url);
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

  test(`clients/${name} has the gateway's version and license, and nothing that it depends on but its peer`, () => {
    const { version, license, type, dependencies, publishConfig } = JSON.parse(read('package.json')) as Package;
    assert.deepEqual([version, license, type, dependencies], [root.version, root.license, 'module', undefined]);
    assert.deepEqual(publishConfig, { access: 'public', provenance: true });
    assert.equal(read('LICENSE'), readFileSync(new URL('../../LICENSE', folder), 'utf8'));
    assert.match(read('CHANGELOG.md'), new RegExp(`^## ${root.version.replaceAll('.', '\\.')} `, 'm'));
  });
}
