import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionInput, StreamedArguments } from './streamed-arguments.ts';

function told(pieces: readonly string[], whole: string | null = null): string {
  const input = new StreamedArguments('function');
  let text = '';
  for (const piece of pieces) {
    input.add(piece);
    text += input.next();
  }
  if (whole !== null) input.whole(whole);
  return text + input.next() + input.rest();
}

test('complete arguments are told once, however often they are said', () => {
  const once = '{"q":"x"}';
  assert.equal(told(['{"q":', '"x"}']), once);
  assert.equal(told(['{"q":', '"x"}', once]), once);
  assert.equal(told([once, '{"q":', '"x"}']), once);
  assert.equal(told([once, once, once]), once);
  assert.equal(told(['{"q":', '"x"}'], once), once);
  assert.equal(told(['{"q":'], once), once);
  assert.equal(told([], once), once);
  assert.equal(told([' {"q"', ':"x"} ', ` ${once}`]), ' {"q":"x"} ');
});

test('of pieces that say all so far again, only what is new is told', () => {
  const once = '{"q":{"p":"x"}}';
  assert.equal(told(['{', '{"q"', '{"q":{"p"', once]), once);
  assert.equal(told(['{"q', '{"q":{"p":"x', once, once]), once);
  assert.equal(told(['{"q":{"p":"', once]), once);
  assert.equal(told(['{"q":[', '{"q":[]}', ']}']), '{"q":[{"q":[]}]}');
  assert.equal(told(['{"q":"', '{"', ',"p":"{"}']), '{"q":"{"' + ',"p":"{"}');
});

test('an object within a text is told as the object', () => {
  const once = '{"q":"x"}';
  assert.equal(told([JSON.stringify(once)]), once);
  assert.equal(told([...JSON.stringify(once)]), once);
  assert.equal(told(['"[]"']), '{}');
  assert.equal(told(['"words"']), '"words"');
  assert.equal(functionInput('"{"'), '"{"');
});

test('no input is an empty object, and what follows it counts', () => {
  for (const none of ['', 'null', ' null ', '{}', '{ }', ' ', '[]', 'None', 'undefined'])
    assert.match(told([none]), /^\{ ?\}$/, none);
  assert.equal(told(['nu', 'll']), '{}');
  assert.equal(told(['null'], '{"q":1}'), '{"q":1}');
  assert.equal(told(['{}', '{"q":', '1}']), '{"q":1}');
  assert.equal(told(['null', '{"q":', '1}']), '{"q":1}');
  assert.equal(functionInput('null'), '{}');
  assert.equal(functionInput('{"a":null}'), '{"a":null}');
});

test('other text is passed on as it is', () => {
  assert.equal(told(['no', 'pe']), 'nope');
  assert.equal(told(['{"q":{', '"q":1}', '}']), '{"q":{"q":1}}');
  assert.equal(told(['{"q":']), '{"q":');
  const custom = new StreamedArguments('custom');
  custom.add('null');
  custom.add('{}');
  assert.equal(custom.next() + custom.rest(), 'null{}');
});

test('an input in very many pieces is passed on piece by piece', () => {
  const input = new StreamedArguments('function');
  const pieces = ['{"text":"', ...Array.from({ length: 200_000 }, () => 'some words'), '"}'];
  let told = 0;
  for (const piece of pieces) {
    input.add(piece);
    told += input.next().length;
  }
  input.add('{"text":"again"}');
  assert.deepEqual([told, input.rest(), input.complete], [pieces.join('').length, '', true]);
});
