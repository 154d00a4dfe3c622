import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key } from '../store/fixtures.test.ts';
import { callsOf } from './usage-scope.ts';

const at = (usage: 'organization' | 'project' | 'own', projectId: string | null = 'proj_1') =>
  key({ id: 'key_1', usage, projectId });

test('a key reads the calls that its scope says, and is refused those of others', () => {
  assert.deepEqual(callsOf(at('organization'), undefined), {});
  assert.deepEqual(callsOf(at('organization'), 'key_2'), { keyId: 'key_2' });
  assert.deepEqual(callsOf(at('project'), undefined), { projectId: 'proj_1' });
  assert.deepEqual(callsOf(at('project'), 'key_2'), { projectId: 'proj_1', keyId: 'key_2' });
  assert.deepEqual(callsOf(at('project', null), undefined), { keyId: 'key_1' }, 'in no project it reads its own');
  assert.deepEqual(callsOf(at('own'), undefined), { keyId: 'key_1' });
  assert.deepEqual(callsOf(at('own'), 'key_1'), { keyId: 'key_1' });
  for (const scope of [at('own'), at('project', null)])
    assert.throws(() => callsOf(scope, 'key_2'), { kind: 'forbidden', param: 'api_key_id' });
});
