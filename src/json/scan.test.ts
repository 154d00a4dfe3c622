import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameTable } from './names.ts';
import { indexObject, type JsonBounds, JsonError, noticeObject, scanObject as scanBytes } from './scan.ts';
import { memberRange, TAPE_STEP } from './tape.ts';

function scanObject(text: string, maxDepth: number, bounds?: JsonBounds) {
  return scanBytes(Buffer.from(text), maxDepth, bounds);
}

/** The number of outermost members of a text. */
function outermost(text: string, bounds?: JsonBounds): number {
  return scanObject(text, 9, bounds).tape.length / TAPE_STEP - 1;
}

const valid = [
  '{}',
  ' { } \n',
  '{"a":1}',
  '{"a":[],"b":{},"c":[1,-2.5e+3,0,{"d":[null,true,false]}]}',
  '{"quote":"\\"","slash":"\\\\","both":"\\\\\\"","brace":"}{]["}',
  '{"model":"x","messages":[{"role":"user","content":"h\\u00e9"}]}',
];

const invalid = [
  '',
  ' ',
  '[]',
  '1',
  '"a"',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,}',
  '{"a":1 "b":2}',
  '{"a" 1}',
  '{a:1}',
  '{"a":01}',
  '{"a":+1}',
  '{"a":tru}',
  '{"a":[1,]}',
  '{"a":[1}',
  '{"a":{"b":1]}',
  '{"a":"x}',
  '{"a":"x\\"}',
  '{}{}',
  '{} x',
  '{,}',
  '{"a":[,1]}',
  '{"a":nulll}',
];

test('accepts what JSON.parse accepts, and tells where each member stands', () => {
  for (const text of valid) {
    const index = scanObject(text, 10);
    const parsed = JSON.parse(text) as Record<string, unknown>;
    assert.equal(outermost(text), Object.keys(parsed).length, text);
    for (const key of Object.keys(parsed)) {
      const span = memberRange(Buffer.from(text), index, key)!;
      assert.deepEqual(JSON.parse(text.slice(span.start, span.end)), parsed[key], `${text} ${key}`);
    }
    assert.equal(text[index.closeAt], '}');
  }
});

test('refuses what is not one complete object', () => {
  for (const text of invalid) assert.throws(() => scanObject(text, 10), JsonError, JSON.stringify(text));
});

test('refuses every cut of a valid text', () => {
  const text = valid.at(-2)!.trimEnd();
  for (let end = 0; end < text.length; end += 1) assert.throws(() => scanObject(text.slice(0, end), 10), JsonError);
});

test('holds the depth limit exactly', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  scanObject(nested(10), 10);
  assert.throws(() => scanObject(nested(11), 10), /nested deeper than 10/);
  assert.throws(() => scanObject(nested(100_000), 512), /nested deeper than 512/);
});

test('marks names that two readers may read differently', () => {
  assert.equal(scanObject('{"model":"a","model":"b"}', 10).odd, true);
  assert.equal(scanObject('{"\\u006dodel":"a"}', 10).odd, true);
  assert.equal(scanObject('{"a":{"x":1,"x":2}}', 10).odd, false);
  assert.equal(scanObject('{"ab":1,"abc":2,"a":{"ab":3}}', 10).odd, false);
  const many = Array.from({ length: 40 }, (_, at) => `"name_${at}":{"name_${at}":0}`);
  assert.equal(scanObject(`{${many.join()}}`, 10).odd, false);
  for (const at of [0, 14, 15, 16, 17, 39]) assert.equal(scanObject(`{${many.join()},"name_${at}":1}`, 10).odd, true);
});

test('agrees with JSON.parse on mutated texts', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  const alphabet = '{}[]",:\\ 0123456789.eE+-truefalsnu';
  let accepted = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const text = [...valid[random(valid.length)]!];
    for (let edits = random(3); edits >= 0; edits -= 1) {
      const at = random(text.length);
      const char = alphabet[random(alphabet.length)]!;
      if (random(2) === 0) text[at] = char;
      else text.splice(at, random(2), char);
    }
    const mutated = text.join('');
    let ours = true;
    try {
      scanObject(mutated, 10);
    } catch {
      ours = false;
    }
    let theirs = true;
    try {
      const value: unknown = JSON.parse(mutated);
      theirs = typeof value === 'object' && value !== null && !Array.isArray(value);
    } catch {
      theirs = false;
    }
    if (theirs) accepted += 1;
    // The scan does not check escapes and control characters inside strings. Only there may the results differ.
    if (ours !== theirs) assert.ok(ours && mutated.includes('\\'), mutated);
  }
  assert.ok(accepted > 500, `only ${accepted} mutated texts were valid`);
});

test('a text of more values, or more members, than it may have is refused at the first that is too many', () => {
  const bounds = { maxValues: 4, maxMembers: 2 };
  assert.equal(outermost('{"a":[1],"b":3}', bounds), 2);
  assert.throws(() => scanObject('{"a":[1,2,3]}', 9, bounds), { message: 'it has more than 4 values', offset: 10 });
  assert.throws(() => scanObject('{"a":{"b":{"c":0}}}', 9, bounds), {
    message: 'it has more than 2 members',
    offset: 11,
  });
});

test('takes the numbers that JSON has, and none beside them', () => {
  const takes = (number: string) => {
    try {
      const body = Buffer.from(`{"a":${number}}`);
      return memberRange(body, scanBytes(body, 9), 'a')?.end === number.length + 5;
    } catch (error) {
      if (error instanceof JsonError) return false;
      throw error;
    }
  };
  const parses = (number: string) => {
    try {
      return typeof JSON.parse(number) === 'number';
    } catch {
      return false;
    }
  };
  for (const sign of ['', '-', '+']) {
    for (const whole of ['', '0', '7', '10', '01', '987']) {
      for (const part of ['', '.', '.0', '.25']) {
        for (const exponent of ['', 'e', 'E1', 'e+', 'e-07', 'E+9']) {
          const number = `${sign}${whole}${part}${exponent}`;
          assert.equal(takes(number), parses(number), number);
        }
      }
    }
  }
});

test('an outermost object has 1,024 members at most; others as many as the bounds say', () => {
  const wide = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 0])));
  assert.equal(outermost(wide(1024)), 1024);
  assert.throws(() => scanObject(wide(1025), 9), /more than 1024 members/);
  assert.equal(outermost(`{"a":${wide(1025)}}`), 1);
});

test('names with escapes are seen, at any depth, and escapes of values are not taken for them', () => {
  const seen = (text: string) => scanObject(text, 9).escapedNames;
  assert.equal(seen('{"a":[{"b":{"\\u0063":1}}]}'), true);
  assert.equal(seen('{"\\n":1}'), true);
  assert.equal(seen('{"a":"\\n","b":["\\u0063",{"c":"\\""}]}'), false);
});

test('names are noticed at any depth without a record of inner values', () => {
  const names = new NameTable(['seal']);
  const noticed = (text: string) => noticeObject(Buffer.from(text), 9, names);
  assert.notEqual(noticed('{"a":[{"b":{"seal":1}}]}').noticed, 0);
  assert.notEqual(noticed('{"a":[{"b":{"\\u0073eal":1}}]}').noticed, 0);
  assert.equal(noticed('{"a":["seal",{"b":"\\"seal\\":1"}]}').noticed, 0);
  assert.equal(noticed('{"a":[{"b":{"seal":1}}]}').tape.length, 2 * TAPE_STEP);
});

test('a scan tells where the members are whose names are placed', () => {
  const names = new NameTable(['name', 'id'], ['name']);
  const body = Buffer.from('{"name":"a","id":1,"b":[{"NAME":{"c":"d"}},{"n\\u0061me":"e"}],"note":"name"}');
  const { placed, tape } = indexObject(body, 9, names);
  const valueAt = (at: number) => body.toString('utf8', tape[at + 1], tape[at + 2]);
  assert.deepEqual(placed.map(valueAt), ['"a"', '{"c":"d"}', '"e"', '"name"'], '`note` may be one: its ends are alike');
  assert.deepEqual(indexObject(Buffer.from('{"id":"x"}'), 9, names).placed, []);
});
