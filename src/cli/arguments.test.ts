import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommandLine, unknownCommand } from './arguments.ts';
import { allCommands } from './commands.ts';
import { UsageError } from './failure.ts';

const COMMANDS = await allCommands();

function parse(...argv: string[]) {
  const { command, words, values, flags } = parseCommandLine(argv, COMMANDS);
  return { command: command?.name, words, values, flags: [...flags] };
}

test('options may stand before, between and behind the words of a command', () => {
  const expected = { command: 'keys create', words: [], values: { name: 'ci', data: './d' }, flags: ['json'] };
  assert.deepEqual(parse('keys', 'create', '--name', 'ci', '--data', './d', '--json'), expected);
  assert.deepEqual(parse('--data=./d', '--json', 'keys', '--name=ci', 'create'), { ...expected });
});

test('what follows the words of a command is its argument', () => {
  assert.deepEqual(parse('config', 'check', 'a.yaml').words, ['a.yaml']);
  assert.deepEqual(parse('keys', 'revoke', '--', '-odd').words, ['-odd']);
  assert.deepEqual(parse('nothing', 'known'), {
    command: undefined,
    words: ['nothing', 'known'],
    values: {},
    flags: [],
  });
});

test('help and version have short names', () => {
  assert.deepEqual(parse('-h').flags, ['help']);
  assert.deepEqual(parse('-v').flags, ['version']);
});

const REFUSED: readonly (readonly [why: string, argv: string[], sentence: RegExp])[] = [
  ['an option that nobody has', ['--bogus'], /^There is no option --bogus\. List the options: headgate --help$/],
  [
    'a slip of the pen',
    ['keys', 'create', '--nmae', 'x'],
    /^headgate keys create has no option --nmae \(did you mean “--name”\?\)/,
  ],
  ['an option of another command', ['keys', 'list', '--expires', '1d'], /^headgate keys list has no option --expires/],
  ['a value left out at the end', ['keys', 'create', '--name'], /^--name needs a value: --name NAME$/],
  ['an empty value', ['keys', 'create', '--name='], /^--name needs a value: --name NAME$/],
  [
    'an option where a value should be',
    ['keys', 'create', '--name', '--json'],
    /^--name needs a value, but --json is an option/,
  ],
  ['a value where there is none', ['doctor', '--json=yes'], /^--json takes no value\.$/],
  ['an option that stands twice', ['keys', 'create', '--name', 'a', '--name', 'b'], /^--name was given twice\.$/],
  ['a name that every object has', ['doctor', '--constructor'], /^headgate doctor has no option --constructor/],
];

for (const [why, argv, sentence] of REFUSED) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => parseCommandLine(argv, COMMANDS),
      (error) => error instanceof UsageError && sentence.test(error.message),
    );
  });
}

test('a value that looks like an option is taken when it is written with an equals sign', () => {
  assert.equal(parse('keys', 'create', '--name=--json').values.name, '--json');
});

test('words that name no command are answered with those that are near', () => {
  assert.match(unknownCommand(['serv'], COMMANDS).message, /“serv” \(did you mean “serve”\?\)/);
  assert.match(unknownCommand(['key', 'list'], COMMANDS).message, /did you mean “keys list”/);
  assert.match(
    unknownCommand(['keys', 'remove'], COMMANDS).message,
    /“keys remove”\. Commands: keys create, keys list, keys edit, keys rotate, keys revoke/,
  );
  assert.match(unknownCommand(['keys'], COMMANDS).message, /“keys” is not a complete command/);
  assert.doesNotMatch(unknownCommand(['frobnicate'], COMMANDS).message, /did you mean/);
});
