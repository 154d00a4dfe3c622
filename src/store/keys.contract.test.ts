import assert from 'node:assert/strict';
import type { Storage } from '../core/ports.ts';
import type { ApiKey } from '../core/records.ts';
import type { SettingChange } from '../core/settings.ts';
import { storageContract } from './contract.test.ts';
import { key, NOON } from './fixtures.test.ts';

const hashOf = (text: string) => Buffer.from(text);
const rotation = (secret: string, earlierUntil: number) => {
  return { hash: hashOf(secret), hint: secret, at: NOON, earlierUntil, most: 5 };
};

storageContract('keys', (contract) => {
  contract(
    'a secret that was replaced is accepted for as long as it may, and no longer than its key',
    async ({ keys }) => {
      const expiresAt = NOON + 100;
      await keys.create(key(), hashOf('first'));
      await keys.create(key({ id: 'key_2', expiresAt }), hashOf('of another'));
      const endOf = async (secret: string) => (await keys.find(hashOf(secret)))?.key.expiresAt;
      await keys.rotate('key_1', rotation('second', NOON + 50));
      await keys.rotate('key_2', rotation('second of another', NOON + 500));
      assert.deepEqual(
        [await endOf('first'), await endOf('second'), await endOf('of another'), await endOf('second of another')],
        [NOON + 50, null, expiresAt, expiresAt],
      );
      await keys.rotate('key_1', rotation('third', NOON + 20));
      assert.deepEqual(
        [await endOf('first'), await endOf('second'), await endOf('third')],
        [NOON + 20, NOON + 20, null],
      );
      const earlier = async (at: number) => [
        await keys.earlierSecrets('key_1', at),
        await keys.earlierSecrets('key_2', at),
      ];
      assert.deepEqual(
        [await earlier(NOON + 19), await earlier(NOON + 20)],
        [
          [2, 1],
          [0, 1],
        ],
      );
    },
  );

  contract('a secret that ends at once has ended for a clock that is set back, too', async ({ keys }) => {
    await keys.create(key(), hashOf('first'));
    await keys.rotate('key_1', rotation('second', NOON + 50));
    await keys.rotate('key_1', rotation('third', NOON));
    const ends = await Promise.all(['first', 'second', 'third'].map(async (each) => keys.find(hashOf(each))));
    assert.deepEqual(
      ends.map((caller) => caller?.key.expiresAt),
      [0, 0, null],
    );
  });

  contract('of rotations at once no more are done than earlier secrets may go on', async ({ keys, settings }) => {
    await keys.create(key(), hashOf('first'));
    const rotated = (secret: string, until: number) => ({ rotateKey: { id: 'key_1', ...rotation(secret, until) } });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => settings.change('org_1', [rotated(`${index}`, NOON + 50)], null)),
    );
    assert.deepEqual(outcomes.sort(), [...Array(3).fill('changed'), ...Array(5).fill('done')]);
    assert.equal(await keys.earlierSecrets('key_1', NOON), 5);
    await assert.rejects(keys.rotate('key_1', rotation('by a command', NOON + 50)), { kind: 'conflict' });
    const later = { ...rotated('later', NOON + 90).rotateKey, at: NOON + 50 };
    assert.equal(await settings.change('org_1', [{ rotateKey: later }], null), 'done', 'five have ended');
    assert.equal(await settings.change('org_1', [rotated('at once', NOON)], null), 'done', 'it ends them all');
    assert.equal(await keys.earlierSecrets('key_1', NOON), 0);
  });

  contract('a key tells for good who has made it, where that is known', async ({ keys }) => {
    const makers = [null, { type: 'operator' }, { type: 'user', id: 'ada' }, { type: 'api_key', id: 'key_0' }] as const;
    for (const [index, createdBy] of makers.entries()) {
      const id = `key_${index}`;
      await keys.create(key({ id, createdBy }), hashOf(id));
      await keys.change(id, { name: 'Other' });
      assert.deepEqual((await keys.get(id))?.createdBy, createdBy);
    }
  });

  contract('a key is changed as it was read, or not at all', async ({ keys, settings }) => {
    await keys.create(key(), hashOf('secret'));
    const named = (name: string, version?: number): SettingChange => {
      return { changeKey: { id: 'key_1', changes: { name }, ...(version !== undefined && { version }) } };
    };
    assert.equal(await settings.change('org_1', [named('one', 1)], null), 'done');
    assert.equal(await settings.change('org_1', [named('two', 1)], null), 'changed');
    assert.equal(await settings.change('org_2', [named('three')], null), 'changed');
    const { name, version } = (await keys.get('key_1'))!;
    assert.deepEqual([name, version], ['one', 2]);
  });

  contract(
    'a key that was revoked keeps its date, whatever else is revoked, and is in no list of settings',
    async (storage) => {
      const { keys, settings } = storage;
      const ofAda = { owner: { type: 'user', id: 'ada' } } as const;
      await keys.create(key({ ...ofAda, product: 'helpdesk' }), hashOf('one'));
      await keys.create(key({ ...ofAda, id: 'key_2', projectId: 'proj_2', product: 'helpdesk' }), hashOf('two'));
      await keys.revoke('key_1', NOON);
      assert.deepEqual(await listed(storage), ['key_2']);
      const groupId = 'group_1';
      const place = { version: 1, createdAt: NOON, value: {} };
      const changes: SettingChange[] = [
        { put: { kind: 'group_member', id: 'ada', parentId: groupId, ...place } },
        { put: { kind: 'project_group', id: groupId, parentId: 'proj_2', ...place } },
        { put: { kind: 'project_group', id: groupId, parentId: 'proj_00_org_1', ...place } },
        { revokeKeys: { of: 'owner', id: 'ada', projectId: 'proj_00_org_1', at: NOON + 1 } },
      ];
      assert.equal(await settings.change('org_1', changes, null), 'done');
      assert.deepEqual(await dates(keys), [NOON, null], 'of another project');
      const ended: SettingChange[] = [
        { revokeKeysOfAbsent: { userId: 'ada', at: NOON + 2 } },
        { revokeKeysByGroup: { groupId, at: NOON + 3 } },
        { revokeKeys: { of: 'product', id: 'helpdesk', at: NOON + 4 } },
        { revokeKeys: { of: 'id', id: 'key_1', at: NOON + 5 } },
      ];
      assert.equal(await settings.change('org_1', ended, null), 'done');
      assert.deepEqual(await dates(keys), [NOON, NOON + 3]);
      assert.deepEqual(await listed(storage), []);
    },
  );
});

async function dates(keys: Storage['keys']): Promise<(number | null)[]> {
  const found = (await Promise.all(['key_1', 'key_2'].map((id) => keys.get(id)))) as ApiKey[];
  return found.map(({ revokedAt }) => revokedAt);
}

async function listed({ settings }: Storage): Promise<string[]> {
  return (await settings.keys('org_1', { access: 'models', limit: 10 })).items.map(({ id }) => id);
}
