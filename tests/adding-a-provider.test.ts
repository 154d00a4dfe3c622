import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** `docs/adding-a-provider.md`, done literally, in a copy of the project and by a newcomer's own Node.js and npm. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs', 'adding-a-provider.md'), 'utf8');
const LOCAL = '  ...LOCAL_PRESETS,\n';

/** What a command of the page needs of the project. */
const COPIED = ['package.json', 'tsconfig.json', 'bin', 'src'];

const folder = mkdtempSync(join(tmpdir(), 'headgate-provider-'));
for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
after(() => rmSync(folder, { recursive: true, force: true }));

const env = {
  // A newcomer's `PATH` has nothing of the project's in it; under `npm test` ours has.
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((each) => !each.includes(`${sep}node_modules${sep}`))
    .join(delimiter),
  HOME: folder,
  HEADGATE_DATA: join(folder, 'data'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_cache: join(folder, 'npm'),
};

describe('without touching the code', () => {
  const [config = '', commands = ''] = blocksOf('Without touching the code', 'yaml', 'sh');

  test('the file is fine, and its model is listed with its price', (t) => {
    t.diagnostic(`Node.js ${execFileSync('node', ['--version'], { env, encoding: 'utf8' }).trim()} is on the PATH`);
    writeFileSync(join(folder, 'headgate.yaml'), config);
    const said = run(commands);
    rmSync(join(folder, 'headgate.yaml'));
    assert.match(said, /headgate\.yaml: fine/);
    assert.match(said, /^solar-pro2 .*\$0\.25 +\$0\.25$/m);
  });
});

describe('a preset is a row', () => {
  const [row = '', check = '', config = ''] = blocksOf('A preset is a row', 'ts', 'sh', 'yaml');
  const file = join(folder, 'src', 'providers', 'presets.ts');
  const checkConfig = 'UPSTAGE_API_KEY=a-key npx headgate config check';

  test('before it is written, a configuration needs the address', () => {
    writeFileSync(join(folder, 'headgate.yaml'), config);
    assert.match(failing(checkConfig), /upstage: is not the name of a preset/);
  });

  test('once it is written, its check passes and a configuration needs no address', () => {
    const before = readFileSync(file, 'utf8');
    assert.equal(before.split(LOCAL).length, 2);
    writeFileSync(file, before.replace(LOCAL, row.replace(/^(?=.)/gm, '  ') + LOCAL));
    assert.match(run(check), /^. tests \d+$/m);
    assert.match(run(checkConfig), /headgate\.yaml: fine/);
  });

  test('the check fails for a row that is wrong', () => {
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(
        "catalog: null,\n    docs: 'https://dev",
        "catalog: 'nobody',\n    docs: 'https://dev",
      ),
    );
    assert.match(failing(check), /every vendor that a row finds in the catalog/);
  });
});

for (const [heading, file, type] of [
  ['A preset is a row', 'src/providers/preset.ts', 'Preset'],
  ['Quirks', 'src/core/quirks.ts', 'Quirks'],
] as const) {
  test(`the table of ${type} has each of its members`, () => {
    const [, body = ''] =
      new RegExp(`^export type ${type} = \\{\n(.*?)^\\};`, 'ms').exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
    const members = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name!);
    const named = [...sectionOf(heading).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
    assert.ok(members.length > 5);
    assert.deepEqual(named.sort(), members.sort());
  });
}

/** Runs the commands of a block as they stand; what they print. */
function run(commands: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', commands], { cwd: folder, env, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

function failing(command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], { cwd: folder, env, encoding: 'utf8' });
  assert.notEqual(status, 0, stdout);
  return stdout + stderr;
}

function sectionOf(heading: string): string {
  const found = PAGE.split(/^## /m).find((section) => section.startsWith(`${heading}\n`));
  assert(found !== undefined, heading);
  return found;
}

/** The one block of each language in a section. */
function blocksOf(heading: string, ...languages: string[]): string[] {
  return languages.map((language) => {
    const blocks = [...sectionOf(heading).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))];
    assert.equal(blocks.length, 1, `${heading}: ${language}`);
    return blocks[0]![1]!;
  });
}
