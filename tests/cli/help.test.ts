import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allCommands } from '../../src/cli/commands.ts';
import { run } from '../../src/cli/run.ts';
import type { Toolbox } from '../../src/cli/toolbox.ts';
import { runHeadgate } from '../support/headgate.ts';

const COMMANDS = await allCommands();

/** A command that does something fails, since it has nothing to do it with. */
const NO_TOOLS = new Proxy({} as Toolbox, {
  get: (_tools, name) => {
    if (name === 'version') return '1.2.3';
    throw new Error(`the command asked for ${String(name)}`);
  },
});

for (const { name, about } of COMMANDS) {
  test(`headgate ${name} --help explains it and does nothing else`, async () => {
    const printed: string[] = [];
    const terminal = { print: (text: string) => void printed.push(text), warn: assert.fail, confirm: null };
    assert.equal(await run([...name.split(' '), '--help'], NO_TOOLS, terminal), 0);
    const text = printed.join('\n');
    assert.match(text, new RegExp(`^headgate ${name}`));
    assert.ok(text.includes(about));
  });
}

test('the process of a command prints its help, too', async () => {
  const { code, stdout, stderr } = await runHeadgate(['keys', 'create', '--help']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^headgate keys create/);
});

test('help lists every command, or those of a group', async () => {
  const [all, asked, group] = await Promise.all(
    [['help'], ['--help'], ['help', 'keys']].map((args) => runHeadgate(args)),
  );
  for (const { name } of COMMANDS) assert.ok(all?.stdout.includes(`  ${name}`), name);
  assert.equal(asked?.stdout, all?.stdout);
  assert.match(group?.stdout ?? '', /keys revoke ID/);
  assert.doesNotMatch(group?.stdout ?? '', /usage list/);
});

test('--version tells the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  assert.equal((await runHeadgate(['--version'])).stdout, `${version}\n`);
  assert.deepEqual((await runHeadgate(['--version', '--json'])).json, { version });
});

test('what is not understood ends with 2 and the nearest name, in JSON where it was asked for', async () => {
  const { code, stdout, stderr } = await runHeadgate(['key', 'list']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^There is no command “key” \(did you mean “keys list”\?\)/);

  const told = await runHeadgate(['keys', 'create', '--nmae', 'x', '--json']);
  assert.equal(told.code, 2);
  assert.match(
    (told.json as { error: { message: string } }).error.message,
    /no option --nmae \(did you mean “--name”\?\)/,
  );
  assert.equal(told.stderr, '');
});

for (const args of [['keys', 'revoke'], ['keys', 'create'], ['doctor', 'now'], ['keys']]) {
  test(`headgate ${args.join(' ')} is not a whole command`, async () => {
    const { code, stderr } = await runHeadgate(args);
    assert.equal(code, 2);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  });
}
