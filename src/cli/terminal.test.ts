import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { openTerminal } from './terminal.ts';

function open(isTTY: boolean) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  return { terminal: openTerminal(stdin, stdout, stderr), stdin, stdout, stderr };
}

for (const [typed, agreed] of Object.entries({
  'y\n': true,
  'YES\n': true,
  'n\n': false,
  '\n': false,
  'yellow\n': false,
})) {
  test(`${JSON.stringify(typed)} is ${agreed ? 'a yes' : 'no yes'}`, async () => {
    const { terminal, stdin, stderr } = open(true);
    const answer = terminal.confirm?.('Write it?');
    stdin.write(typed);
    assert.equal(await answer, agreed);
    assert.match(String(stderr.read()), /Write it\? \[y\/N\]/);
  });
}

test('the end of the input is no yes', async () => {
  const { terminal, stdin } = open(true);
  const answer = terminal.confirm?.('Write it?');
  stdin.end();
  assert.equal(await answer, false);
});

test('what is printed moves no cursor and turns no text, and keeps its lines', async () => {
  const { terminal, stdout, stderr } = open(false);
  terminal.print('a\u001b[2J\tb\nc\u202ed\re');
  terminal.warn('e\u200bf');
  assert.equal(String(stdout.read()), 'a·[2J\tb\nc·d·e\n');
  assert.equal(String(stderr.read()), 'e·f\n');

  const person = open(true);
  const answer = person.terminal.confirm?.('Delete g\u2066h?');
  person.stdin.write('n\n');
  await answer;
  assert.match(String(person.stderr.read()), /Delete g·h\? \[y/);
});

test('where no person sits there is nobody to ask', () => {
  assert.equal(open(false).terminal.confirm, null);
});

test('a reader that has read enough is no fault', () => {
  const { terminal, stdout } = open(false);
  stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  terminal.print('more');
});
