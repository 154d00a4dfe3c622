import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDirectory } from '../routing/directory.ts';
import { model, provider, route } from '../testing/routes.ts';
import { isBanned, isPermitted } from './access.ts';
import type { Model, Served, VendorEntry } from './provider.ts';

const DATED = 'claude-3-5-sonnet-20241022';

function served(id: string, account: string, models: readonly Model[]): Served {
  const modelNamed = (name: string) => model(name, null, { upstreamId: name, known: 'asked' });
  return { provider: provider(id, { account }), models, modelNamed };
}

const twin = model('twin', null, { upstreamId: 'm1' });
const LISTED = ['m1', 'm2', DATED, 'claude-3-5-sonnet', 'o1', 'o1-mini', 'gpt-4', 'gpt-4o', 'gpt-4-0613'];
const directory = buildDirectory(
  [
    served('lab', 'lab', [...LISTED.map((id) => model(id, null, { upstreamId: id })), twin]),
    served('double', 'lab', [model('m1', null, { upstreamId: 'm1' })]),
    served(
      'other',
      'other',
      ['m1', 'makers/m1', 'makers/claude-3.5-sonnet'].map((id) => model(id, null, { upstreamId: id })),
    ),
  ],
  { aliases: new Map([['fast', 'lab/m1']]), routes: [route(['m1'], { id: 'smart' })] },
);

function isOut(name: string, banned: string): boolean {
  const entry = directory.find(name)!;
  return !isPermitted({ mode: 'deny_list', ids: [banned] }, entry, name, directory);
}

const AT_LAB = [
  'lab/m1',
  'm1',
  'fast',
  'lab/twin',
  'double/m1',
  'lab/m1-latest',
  'lab/m1@20260718',
  'double/M1',
  'lab/m1:free',
  'lab/@m1',
  'lab/us.m1',
  'lab/GLOBAL.m1-20260718',
  'lab/profiles/us-gov.m1',
];

for (const [banned, out, stays] of [
  [
    'lab/m1',
    AT_LAB,
    ['other/m1', 'other/makers/m1', 'lab/m2', 'lab/m1-mini', 'lab/m10', 'lab/usm1', 'lab/xx.m1', 'smart'],
  ],
  ['fast', AT_LAB, ['other/m1', 'lab/m2']],
  ['lab/twin', AT_LAB, ['other/m1', 'lab/m2']],
  ['double/m1', AT_LAB, ['other/m1']],
  ['m1-latest', [...AT_LAB, 'other/m1', 'other/makers/m1', 'other/makers/m1:nitro'], ['lab/m2', 'lab/m1-mini']],
  ['m1', [...AT_LAB, 'other/m1', 'other/makers/m1'], ['lab/m2']],
  [
    'm2',
    [
      '2026-07',
      '202607',
      '26-07-18',
      '2026.07.18',
      '18-07-2026',
      '07-18-2026',
      '2026-07-18-latest',
      'latest-latest',
    ].map((version) => `lab/m2-${version}`),
    ['lab/m2-10', 'lab/m2-2026b', 'lab/m2-mini-2026-07'],
  ],
  [
    'lab/m1-2026-07-18',
    ['lab/m1-20260718', 'lab/m1@20260718', 'lab/m1-2026_07_18-latest'],
    ['lab/m1', 'lab/m1-latest', 'lab/m1-2026-07-19'],
  ],
  ['claude-3-5-sonnet', [DATED, 'other/makers/claude-3.5-sonnet'], ['lab/m1']],
  [DATED, [DATED, 'lab/claude-3-5-sonnet@20241022'], ['claude-3-5-sonnet']],
  ['o1', ['o1', 'lab/o1-2024-12-17', 'lab/O1'], ['o1-mini']],
  ['gpt-4', ['gpt-4', 'gpt-4-0613'], ['gpt-4o']],
  ['smart', ['smart'], ['m1']],
  ['off/m3', [], ['lab/m1']],
] as const satisfies readonly (readonly [string, readonly string[], readonly string[]])[]) {
  test(`where ${banned} may not be used, its other names and versions may not be used either`, () => {
    for (const name of out) assert.equal(isOut(name, banned), true, name);
    for (const name of stays) assert.equal(isOut(name, banned), false, name);
  });
}

test('a list of what may be used bans no target', () => {
  const target = directory.find('lab/m1') as VendorEntry;
  for (const ids of [['m1'], ['m2']]) {
    assert.equal(isBanned({ mode: 'allow_list', ids }, target, directory.find), false);
  }
  assert.equal(isBanned({ mode: 'deny_list', ids: ['m1'] }, target, directory.find), true);
});
