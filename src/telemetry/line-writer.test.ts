import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, mock, test } from 'node:test';
import { type LineOutput, LineWriter, MAX_HELD_BYTES } from './line-writer.ts';

const PIECE_BYTES = 4096;
const untold = (count: number) => `and ${count} more\n`;

beforeEach((t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  (t as { after(work: () => void): void }).after(() => mock.timers.reset());
});

/** An output that accepts the next piece only when `take` is called. */
function slowOutput(): LineOutput & { pieces: string[]; take(): void } {
  const pieces: string[] = [];
  let done: (() => void) | null = null;
  return {
    pieceBytes: PIECE_BYTES,
    pieces,
    write(piece, whenDone) {
      assert.equal(done, null, 'one piece at a time');
      assert.ok(piece.length <= PIECE_BYTES);
      pieces.push(piece.toString());
      done = whenDone;
    },
    writeNow: (rest) => void pieces.push(...rest.map(String)),
    take() {
      const taken = done;
      done = null;
      taken?.();
    },
  };
}

/** Accepts all waiting pieces. */
function takeAll(output: ReturnType<typeof slowOutput>): string[] {
  let seen: number;
  do {
    seen = output.pieces.length;
    output.take();
    mock.timers.tick(50);
  } while (output.pieces.length > seen);
  return output.pieces.join('').trimEnd().split('\n');
}

test('lines of some twentieth of a second are written together, in order, and no character is cut', () => {
  const output = slowOutput();
  const writer = new LineWriter(output, untold);
  const lines = Array.from({ length: 300 }, (_, index) => `${index} ${'漢é'.repeat(index % 40)}`);
  for (const line of lines) writer.add(`${line}\n`);
  assert.equal(output.pieces.length, 0);
  mock.timers.tick(50);
  assert.deepEqual(takeAll(output), lines);
  assert.ok(output.pieces.length < 12);
  for (const piece of output.pieces) assert.ok(piece.endsWith('\n'), 'a piece has whole lines');
});

test('who reads slowly is told how many lines it was not told, and no more than a bound is held', () => {
  const output = slowOutput();
  const writer = new LineWriter(output, untold);
  writer.add('first\n');
  mock.timers.tick(50);
  const line = `${'x'.repeat(99)}\n`;
  const most = Math.floor(MAX_HELD_BYTES / 100);
  for (let index = 0; index < most + 2_000; index += 1) writer.add(line);
  mock.timers.tick(10_000);
  assert.equal(output.pieces.length, 1, 'nobody has taken the first');
  const lines = takeAll(output);
  const told = lines.filter((each) => each === line.trimEnd()).length;
  const missing = lines.flatMap((each) => /^and (\d+) more$/.exec(each)?.[1] ?? []).map(Number);
  assert.ok(told > most * 0.95 && told <= most, `${told} lines were held`);
  assert.deepEqual(missing, [most + 2_000 - told]);
  writer.add('afterwards\n');
  mock.timers.tick(50);
  assert.equal(takeAll(output).at(-1), 'afterwards');
});

test('at the end what is held is written, but not again what is being written', () => {
  const output = slowOutput();
  const writer = new LineWriter(output, untold);
  writer.add('first\n');
  mock.timers.tick(50);
  writer.add('second\n');
  writer.close();
  assert.deepEqual(output.pieces, ['first\n', 'second\n']);
});

test('lines that came together already need not wait, but for what is being written', () => {
  const output = slowOutput();
  const writer = new LineWriter(output, untold);
  writer.add('first\n');
  writer.flush();
  assert.deepEqual(output.pieces, ['first\n']);
  writer.add('second\n');
  writer.flush();
  assert.deepEqual(output.pieces, ['first\n'], 'one piece at a time');
  assert.deepEqual(takeAll(output), ['first', 'second']);
  writer.flush();
  assert.equal(output.pieces.length, 2, 'nothing is held');
});

test('a line that is longer than a piece is left out, and counted', () => {
  const output = slowOutput();
  const writer = new LineWriter(output, untold);
  writer.add(`${'x'.repeat(PIECE_BYTES)}\n`);
  writer.add('next\n');
  writer.close();
  assert.deepEqual(output.pieces, ['and 2 more\n']);
});

/** A process that writes 5,000 lines of 1,000 bytes to stderr, reports this, and ends on request. */
const WRITES = `
const { LineWriter, stderrOutput } = await import(process.argv[1]);
const writer = new LineWriter(stderrOutput(), (count) => 'and ' + count + ' more\\n');
for (let line = 0; line < 5000; line += 1) {
  writer.add(String(line).padEnd(999, '.') + '\\n');
  if (line % 50 === 0) await new Promise((done) => setImmediate(done));
}
console.log('written');
process.once('exit', () => { writer.close(); console.log('closed'); });
process.stdin.once('data', () => process.exit());
`;
/** Runs a command with a real pipe for stderr: Node.js itself gives child processes a socket. */
const PIPED = '{ "$0" "$@" 2>&1 1>&3 | cat 1>&2; } 3>&1';

function writes(to: 'socket' | 'pipe') {
  const url = new URL('./line-writer.ts', import.meta.url).href;
  const args = ['--input-type=module', '--eval', WRITES, url];
  const child = to === 'socket' ? spawn(process.execPath, args) : spawn('sh', ['-c', PIPED, process.execPath, ...args]);
  child.stderr.setEncoding('utf8');
  return child;
}

/** The number of lines that were written or counted as dropped. None is cut or duplicated. */
function toldIn(text: string): number {
  const lines = text.split('\n').slice(0, -1);
  const whole = lines.filter((line) => /^\d+\.+$/.test(line) && line.length === 999).map(Number.parseFloat);
  const counted = lines.flatMap((line) => /^and (\d+) more$/.exec(line)?.[1] ?? []).map(Number);
  assert.equal(whole.length + counted.length, lines.length, 'no line is cut by another');
  assert.equal(new Set(whole).size, whole.length, 'no line is told twice');
  return counted.reduce((sum, each) => sum + each, whole.length);
}

for (const to of ['socket', 'pipe'] as const) {
  test(`a ${to} that is read at once: each line is told or counted, without an end`, async () => {
    const child = writes(to);
    let text = '';
    for await (const piece of child.stderr) {
      text += piece;
      if (child.stdin.writable && toldIn(text) === 5_000) child.stdin.end('end');
    }
    assert.equal(toldIn(text), 5_000);
  });

  test(`a ${to} that is read late: a full one holds up nobody, and each line is told or counted`, async () => {
    const child = writes(to);
    let text = '';
    await once(child.stdout, 'data');
    child.stdin.write('end');
    for await (const piece of child.stderr) text += piece;
    assert.equal(toldIn(text), 5_000);
  });
}

test('a pipe that nobody reads holds up the end for a while only', async () => {
  const child = writes('pipe');
  await once(child.stdout, 'data');
  child.stdin.write('end');
  assert.equal(String(await once(child.stdout, 'data')), 'closed\n');
  let text = '';
  for await (const piece of child.stderr) text += piece;
  const told = toldIn(text);
  assert.ok(told > 0 && told < 5_000, `what did not fit is lost: ${told} were told`);
});
