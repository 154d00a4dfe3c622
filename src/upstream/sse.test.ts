import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinFrames, readFrame, readRest, SseSplitter } from './sse.ts';

const MAX = 1 << 20;

function split(chunks: readonly (Buffer | string)[]): Buffer[] {
  const splitter = new SseSplitter(MAX);
  const frames = chunks.flatMap((chunk) => splitter.push(chunk)).map((frame) => Buffer.from(frame));
  const rest = splitter.end();
  return rest === null ? frames : [...frames, rest];
}

function events(frames: readonly Buffer[]) {
  return frames.map(readFrame).filter((frame) => frame.data !== null || frame.event !== null);
}

const LINES = [
  ': a comment',
  '',
  'data: {"a":1}',
  '',
  'event: error',
  'data:{"b":"é😀"}',
  '',
  'data: one',
  'data: two',
  '',
  '',
  'id: 7',
  'data',
  '',
  'data: [DONE]',
  '',
  '',
];
const EXPECTED = [
  { event: null, data: '{"a":1}' },
  { event: 'error', data: '{"b":"é😀"}' },
  { event: null, data: 'one\ntwo' },
  { event: null, data: '' },
  { event: null, data: '[DONE]' },
];

for (const [name, lineEnd] of [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const) {
  const bytes = Buffer.from(LINES.join(lineEnd));

  test(`split anywhere with ${name}: the same events, and not a byte lost`, () => {
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const frames = split([bytes.subarray(0, cut), bytes.subarray(cut)]);
      assert.deepEqual(events(frames), EXPECTED, `cut at ${cut}`);
      assert.equal(Buffer.concat(frames).equals(bytes), true, `cut at ${cut}`);
    }
    const frames = split([...bytes].map((byte) => Buffer.from([byte])));
    assert.deepEqual(events(frames), EXPECTED);
    assert.equal(Buffer.concat(frames).equals(bytes), true);
  });
}

test('frames of one line are cut the same whether they come alone, together or behind a part of another', () => {
  const one = 'data: {"a":1}\n\n';
  for (const chunks of [
    [one],
    [one, one],
    [one + one],
    ['data: ', one],
    ['data: x\n', one],
    ['data: x\n\n', one],
    ['data: x\r', '\n', '\r\n', one],
    ['data: x\r\r', '\n', one],
    ['data: x', '\n\n', one],
    ['\n', one],
    ['\n\n', one],
    [one, '\n'],
    [`${one}\n`, one],
    [`\n\n${one}\n\n${one}`],
    ['event: ping\ndata: {}\n\n', one],
    [`event: ping\ndata: {}\n\nevent: ping\n\n${one}`],
    [`${one}data: x`, '\n\n'],
    [`data: x\r\r${one}`],
    [`data: x\r\n\r\n${one}`],
    [': \n\n', one],
  ]) {
    const whole = chunks.join('');
    const oneByOne = split([...Buffer.from(whole)].map((byte) => Buffer.from([byte])));
    for (const pieces of [chunks, chunks.map((chunk) => Buffer.from(chunk))]) {
      const splitter = new SseSplitter(MAX);
      const frames = pieces.flatMap((piece) => splitter.push(piece)).map((frame) => Buffer.from(frame));
      assert.deepEqual(events(frames), events(oneByOne), JSON.stringify(chunks));
      // Of a CR that comes alone the frame is given out before its LF.
      if (!whole.includes('\r')) assert.deepEqual(frames.map(String), oneByOne.map(String), JSON.stringify(chunks));
      assert.equal(frames.join(''), whole);
      assert.equal(splitter.end(), null, JSON.stringify(chunks));
    }
  }
});

test('whether the last line ended in a CR is told of the last line', () => {
  const splitter = new SseSplitter(MAX);
  splitter.push(Buffer.from('data: x\r\r'));
  assert.equal(splitter.endedInCr, true);
  splitter.push(Buffer.from('data: y\n\n'));
  assert.equal(splitter.endedInCr, false);
});

test('a frame ends with its blank line, and is given out at once', () => {
  const splitter = new SseSplitter(MAX);
  assert.deepEqual(splitter.push(Buffer.from('data: 1\n')).length, 0);
  assert.deepEqual(splitter.push(Buffer.from('\ndata: 2\r\n\r')).map(String), ['data: 1\n\n', 'data: 2\r\n\r']);
  assert.deepEqual(splitter.push(Buffer.from('\ndata: 3\n\n')).map(String), ['\ndata: 3\n\n']);
});

test('a stream without a final blank line keeps its last event', () => {
  assert.deepEqual(events(split([Buffer.from('data: 1\n\ndata: 2')])), [
    { event: null, data: '1' },
    { event: null, data: '2' },
  ]);
});

test('an event of exactly the limit passes, one byte more does not', () => {
  const frame = (length: number) => Buffer.from(`data: ${'x'.repeat(length - 8)}\n\n`);
  assert.equal(new SseSplitter(100).push(frame(100)).length, 1);
  assert.equal(new SseSplitter(100).push(frame(100).toString()).length, 1);
  assert.throws(() => new SseSplitter(100).push(frame(101)), RangeError);
  assert.throws(() => new SseSplitter(100).push(frame(101).toString()), RangeError);
  assert.equal(new SseSplitter(100).push(frame(100).toString().repeat(3)).length, 3);
  const splitter = new SseSplitter(100);
  splitter.push(frame(200).subarray(0, 60));
  assert.throws(() => splitter.push(frame(200).subarray(60, 120)), RangeError);
});

test('of a name and data in one line each, and of all else, the same is read', () => {
  for (const [frame, event, data] of [
    ['event: a\ndata: {"b":1}\n\n', 'a', '{"b":1}'],
    ['event: a\r\ndata: {"b":1}\r\n\r\n', 'a', '{"b":1}'],
    ['event: a\rdata: {"b":1}\r\r', 'a', '{"b":1}'],
    ['event: a\rid: 7\ndata: {"b":1}\n\n', 'a', '{"b":1}'],
    ['event: a\ndata: {"b":\ndata: 1}\n\n', 'a', '{"b":\n1}'],
    ['event: a\ndata: x\nevent: b\n\n', 'b', 'x'],
    ['event: a\nid: 7\ndata: x\n\n', 'a', 'x'],
    ['event: a\n\n', 'a', null],
    ['event: a\ndata: \n\n', 'a', ''],
    ['event: \ndata: x \n\n', '', 'x'],
    ['data: x\nevent: a\n\n', 'a', 'x'],
    ['data: x\r\n\r\n', null, 'x'],
    ['event: a', 'a', null],
  ] as const) {
    for (const form of [frame, Buffer.from(frame)])
      assert.deepEqual(readFrame(form), { event, data }, JSON.stringify(frame));
  }
});

/** What is left of a stream behind its last blank line. */
function restOf(bytes: Buffer) {
  const splitter = new SseSplitter(MAX);
  splitter.push(bytes);
  return readRest(splitter.end());
}

test('an event that only lacks its blank line is whole', () => {
  for (const [rest, frame] of [
    ['data: {"a":1}', 'data: {"a":1}\n\n'],
    ['data: {"a":1}\n', 'data: {"a":1}\n\n'],
    ['data: {"a":1}\r', 'data: {"a":1}\r\n\n'],
    ['data: {"a":1}\r\n', 'data: {"a":1}\r\n\n'],
    ['event: x\r\ndata:{"a":"é"}', 'event: x\r\ndata:{"a":"é"}\n\n'],
    ['data: {"a":1}\nid: 7\n', 'data: {"a":1}\nid: 7\n\n'],
    ['data: {"a":\ndata: 1}', 'data: {"a":\ndata: 1}\n\n'],
    ['data: [DONE]', 'data: [DONE]\n\n'],
    ['\ufeffdata: [DONE]', '\ufeffdata: [DONE]\n\n'],
  ] as const) {
    assert.deepEqual(restOf(Buffer.from(rest)), { kind: 'whole', frame: Buffer.from(frame) }, JSON.stringify(rest));
    const framed = new SseSplitter(MAX).push(Buffer.from(frame));
    assert.deepEqual(framed.map(String), [frame], 'what was added makes one frame of it');
  }
});

test('lines without an event are nothing', () => {
  for (const rest of ['\n', '\r', '\ufeff', ': a com', ': a\n', ': a\r\n: b', '\n: a']) {
    assert.deepEqual(restOf(Buffer.from(`data: 1\r\n\r${rest}`)), { kind: 'nothing' }, JSON.stringify(rest));
  }
  assert.deepEqual(restOf(Buffer.from('data: 1\n\n')), { kind: 'nothing' });
});

test('an event that was cut at any of its bytes is told', () => {
  const event = Buffer.from('id: 7\r\nevent: message\r\ndata: {"text":"é😀",\r\ndata: "more": [1]}');
  for (let cut = 1; cut < event.length; cut += 1) {
    assert.deepEqual(restOf(event.subarray(0, cut)), { kind: 'cut' }, `cut at ${cut}`);
  }
  assert.equal(restOf(event).kind, 'whole');
});

test('an event is cut where another line breaks off behind its data, or its data says nothing', () => {
  for (const rest of ['\nda', '\ndata: x', '\nid: 7', '\nevent: mess', '\n: com']) {
    assert.deepEqual(restOf(Buffer.from(`data: {"a":1}${rest}`)), { kind: 'cut' }, JSON.stringify(rest));
  }
  for (const rest of [
    'data',
    'data:',
    'data: \n',
    'data: [DONE',
    'data: "',
    'event: ping\n',
    'id: 7\n',
    'retry: 3\n',
  ]) {
    assert.deepEqual(restOf(Buffer.from(rest)), { kind: 'cut' }, JSON.stringify(rest));
  }
});

test('frames are joined byte for byte, also those that are no UTF-8', () => {
  const odd = Buffer.from([0x3a, 0xff, 0x0a, 0x0a]);
  assert.deepEqual(joinFrames([odd, odd]), Buffer.concat([odd, odd]));
  assert.deepEqual(joinFrames([odd, ': é\n\n']), Buffer.concat([odd, Buffer.from(': é\n\n')]));
  assert.equal(joinFrames([': é\n\n', ': b\n\n']), ': é\n\n: b\n\n');
});
