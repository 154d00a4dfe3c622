import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Entry, EVENT_TYPES, resourceOf } from '../../console/src/pages/settings/audit-log/entry.ts';

const ORGANIZATION = fileURLToPath(new URL('../../src/organization/', import.meta.url));
/** As a change of settings says it: `type: 'group.created'`. */
const SAID = /\btype: '([a-z_]+(?:\.[a-z_]+)+)'/g;

test('whatever the gateway writes into the log can be chosen as a filter', () => {
  const said = readdirSync(ORGANIZATION, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(ORGANIZATION + name, 'utf8').matchAll(SAID)].map(([, type]) => type!));
  assert.ok(said.length > 30, String(said.length));
  const missing = [...new Set(said)].filter((type) => !EVENT_TYPES.includes(type));
  assert.deepEqual(missing, []);
});

test('what was changed of a project is called by the name of the project', () => {
  const type = 'spend_limit.updated';
  const entry = { type, project: { id: 'proj_1', name: 'Search' }, [type]: { id: 'proj_1', changes_requested: {} } };
  assert.equal(resourceOf(entry as unknown as Entry), 'Search');
  assert.equal(resourceOf({ ...entry, [type]: { id: 'org_1' } } as unknown as Entry), 'org_1');
});
