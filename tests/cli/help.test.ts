import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { allCommands } from '../../src/cli/commands.ts';
import { runHeadgate } from '../support/headgate.ts';

const COMMANDS = await allCommands();

for (const { name, about } of COMMANDS) {
  test(`headgate ${name} --help explains it and does nothing else`, async () => {
    const { code, stdout, stderr } = await runHeadgate([...name.split(' '), '--help']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^headgate ${name}`));
    assert.ok(stdout.includes(about));
  });
}

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
