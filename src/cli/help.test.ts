import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMON_OPTIONS } from './command.ts';
import { allCommands, commandsFor } from './commands.ts';
import { commandHelp, overview } from './help.ts';

const COMMANDS = await allCommands();

test('the overview names every command and its purpose', () => {
  const text = overview('1.2.3', COMMANDS);
  for (const { name, about } of COMMANDS) {
    assert.ok(text.includes(`  ${name}`), name);
    assert.ok(text.includes(about), name);
  }
});

for (const command of COMMANDS) {
  test(`the help of ${command.name} names its options, its argument and those of every command`, () => {
    const text = commandHelp(command);
    for (const name of Object.keys({ ...command.options, ...COMMON_OPTIONS }))
      assert.match(text, new RegExp(`^  --${name}\\b`, 'm'));
    if (command.argument !== undefined) assert.match(text, new RegExp(`^  ${command.argument.value}  `, 'm'));
    assert.ok(
      text.split('\n').every((line) => line.length <= 120),
      'a line is longer than a terminal',
    );
  });
}

test('an option of one name is of one kind in all commands', () => {
  const kinds = new Map<string, boolean>();
  for (const { options } of COMMANDS) {
    for (const [name, { value }] of Object.entries({ ...options, ...COMMON_OPTIONS })) {
      assert.equal(kinds.get(name) ?? value === null, value === null, name);
      kinds.set(name, value === null);
    }
  }
});

test('each command is loaded alone by the words that begin with its name, and all by words that begin with none', async () => {
  for (const command of COMMANDS) {
    assert.deepEqual(await commandsFor([...command.name.split(' '), '--json']), [command], command.name);
    assert.deepEqual(await commandsFor([...command.name.split(' '), 'more']), [command], command.name);
  }
  for (const argv of [['help'], ['--help'], ['keys'], ['kyes', 'list'], ['--data', 'd', 'keys', 'list'], ['--json']])
    assert.deepEqual(await commandsFor(argv), COMMANDS, argv.join(' '));
  assert.deepEqual(
    (await commandsFor([])).map(({ name }) => name),
    ['serve'],
  );
  for (const argv of [['--version'], ['-v', '--json']]) assert.deepEqual(await commandsFor(argv), []);
});
