import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FindInput, findConfig } from './find.ts';
import { ConfigError } from './problems.ts';

function folder(context: TestContext, files: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'headgate-find-'));
  context.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'work'));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

type Row = { name: string; files: string[]; input: Partial<FindInput>; found: string | null };

const ROWS: Row[] = [
  { name: 'nothing is found where there is nothing', files: [], input: {}, found: null },
  { name: 'in the working folder', files: ['work/headgate.yaml'], input: {}, found: 'work/headgate.yaml' },
  { name: 'with the shorter ending', files: ['work/headgate.yml'], input: {}, found: 'work/headgate.yml' },
  {
    name: 'the longer ending first',
    files: ['work/headgate.yml', 'work/headgate.yaml'],
    input: {},
    found: 'work/headgate.yaml',
  },
  {
    name: 'beside the data folder',
    files: ['var/headgate.yaml', 'var/data/headgate.yaml'],
    input: { data: '../var/data' },
    found: 'var/headgate.yaml',
  },
  {
    name: 'in the data folder',
    files: ['var/data/headgate.yml'],
    input: { data: '../var/data' },
    found: 'var/data/headgate.yml',
  },
  {
    name: 'the working folder before the data folder',
    files: ['work/headgate.yml', 'var/headgate.yaml'],
    input: { data: '../var/data' },
    found: 'work/headgate.yml',
  },
  {
    name: '--config before everything',
    files: ['work/headgate.yaml', 'a.yaml', 'b.yaml'],
    input: { argument: '../a.yaml', env: { HEADGATE_CONFIG: '../b.yaml' } },
    found: 'a.yaml',
  },
  {
    name: 'HEADGATE_CONFIG before what is found',
    files: ['work/headgate.yaml', 'b.yaml'],
    input: { env: { HEADGATE_CONFIG: '../b.yaml' } },
    found: 'b.yaml',
  },
  {
    name: 'an empty HEADGATE_CONFIG counts as not set',
    files: ['work/headgate.yaml'],
    input: { env: { HEADGATE_CONFIG: '' } },
    found: 'work/headgate.yaml',
  },
  { name: 'a folder of that name is no file', files: ['work/headgate.yaml/x'], input: {}, found: null },
];

for (const { name, files, input, found } of ROWS) {
  test(name, (context) => {
    const root = folder(context, files);
    const result = findConfig({ env: {}, data: './data', cwd: join(root, 'work'), ...input });
    assert.deepEqual(result, found === null ? null : { file: join(root, found) });
  });
}

const MISSING: [by: string, input: Partial<FindInput>][] = [
  ['--config', { argument: 'gone.yaml' }],
  ['HEADGATE_CONFIG', { env: { HEADGATE_CONFIG: 'gone.yaml' } }],
];

for (const [by, input] of MISSING) {
  test(`a file that ${by} names must be there`, (context) => {
    const cwd = folder(context, ['headgate.yaml']);
    const file = join(cwd, 'gone.yaml');
    assert.throws(
      () => findConfig({ env: {}, data: './data', cwd, ...input }),
      (error) => error instanceof ConfigError && error.message === `${file} ${by}: names a file that does not exist`,
    );
  });
}

for (const [by, input] of [
  ['--config', { argument: '.' }],
  ['HEADGATE_CONFIG', { env: { HEADGATE_CONFIG: '.' } }],
] as const) {
  test(`what ${by} names must be no folder`, (context) => {
    const cwd = folder(context, []);
    assert.throws(() => findConfig({ env: {}, data: './data', cwd, ...input }), {
      message: `${cwd} ${by}: names a folder; it must name a file`,
    });
  });
}

test('what --config names must be no pipe and no device', (context) => {
  const cwd = folder(context, []);
  assert.throws(() => findConfig({ argument: '/dev/null', env: {}, data: './data', cwd }), {
    message: /^\/dev\/null --config: names a pipe or a device; it must name a file/,
  });
});
