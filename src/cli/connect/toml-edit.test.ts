import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToml, TomlError, tomlString } from './toml.ts';
import { setTomlRoot, setTomlTable, TomlConflict } from './toml-edit.ts';

const TABLE = ['model_providers', 'headgate'];
const ROOT_VALUES = { model: '"new"', model_provider: '"headgate"' };
const TABLE_VALUES = { name: '"Headgate"', auth: '{ command = "cat" }' };
const DROP = ['env_key'];

function edited(text: string): string {
  return setTomlTable(setTomlRoot(text, ROOT_VALUES), TABLE, TABLE_VALUES, DROP);
}

const BLOCK = '[model_providers.headgate]\nname = "Headgate"\nauth = { command = "cat" }\n';
const LINES = 'model = "new"\nmodel_provider = "headgate"\n';

const CASES: readonly [name: string, before: string, after: string][] = [
  ['an empty file', '', `${LINES}\n${BLOCK}`],
  [
    'values are replaced where they stand, with their comments',
    'model   = "old" # mine\nother = 1\n"model_provider" = \'openai\'\n',
    `model   = "new" # mine\nother = 1\n"model_provider" = "headgate"\n\n${BLOCK}`,
  ],
  [
    'a name in a table is not the one outside of any',
    '# a comment\n\n[profiles.a]\nmodel = "kept"\n',
    `${LINES}\n# a comment\n\n[profiles.a]\nmodel = "kept"\n\n${BLOCK}`,
  ],
  [
    'what else its own table holds stays',
    `${LINES}[ model_providers . "headgate" ] # here\nrequest_max_retries = 2\nname = "Old"\nenv_key = "X" # gone\n# stays\n[tui]\na = 1\n`,
    `${LINES}[ model_providers . "headgate" ] # here\nrequest_max_retries = 2\nname = "Headgate"\nauth = { command = "cat" }\n# stays\n[tui]\na = 1\n`,
  ],
  [
    'a table below its own that would contradict goes, others stay',
    `${LINES}[model_providers.headgate]\nauth.command = "x"\nname = ""\n[model_providers.headgate.auth]\ncommand = "y"\n# about c\n[model_providers.headgate.http_headers]\na = "b"\n`,
    `${LINES}[model_providers.headgate]\nname = "Headgate"\nauth = { command = "cat" }\n# about c\n[model_providers.headgate.http_headers]\na = "b"\n`,
  ],
  ['a last line that does not end', 'a = 1', `a = 1\n${LINES}\n${BLOCK}`],
  ['lines that end in CRLF', 'a = 1\r\n', `a = 1\n${LINES}\n${BLOCK}`.replaceAll('\n', '\r\n')],
  ['a byte order mark', '\uFEFF[a]\n', `\uFEFF${LINES}\n[a]\n\n${BLOCK}`],
  [
    'headers in strings and arrays are none',
    'a = """\n[model_providers.headgate]\nmodel = "x"\n""""\nb = [\n  "]", # ]\n  \'\'\'\n[c]\'\'\',\n]\nd = 1979-05-27 07:32:00Z\n',
    `a = """\n[model_providers.headgate]\nmodel = "x"\n""""\nb = [\n  "]", # ]\n  '''\n[c]''',\n]\nd = 1979-05-27 07:32:00Z\n${LINES}\n${BLOCK}`,
  ],
];

for (const [name, before, after] of CASES) {
  test(`${name}: what is not ours stays`, () => assert.equal(edited(before), after));
  test(`${name}: a second time changes nothing`, () => assert.equal(edited(edited(before)), edited(before)));
}

const CONFLICTS: readonly [text: string, sentence: RegExp][] = [
  ['model_providers = { other = { name = "x" } }\n', /is not written as a table/],
  ['model_providers.headgate.name = "x"\n', /is not written as a table/],
  ['[model_providers]\nheadgate = { name = "x" }\n', /is not written as a table/],
  ['[model_providers]\nheadgate.name = "x"\n', /is not written as a table/],
  ['[[model_providers]]\nname = "x"\n', /is not written as a table/],
  ['[model]\nname = "x"\n', /“model” is a table/],
  ['[a]\nmodel.b = 1\n[model.c]\n', /“model” is a table/],
];

for (const [text, sentence] of CONFLICTS) {
  test(`refused, since lines cannot be added to it: ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => edited(text),
      (error) => error instanceof TomlConflict && sentence.test(error.message),
    );
  });
}

test('other providers in other forms are no conflict', () => {
  for (const text of ['model_providers.other.name = "x"\n', '[model_providers]\nother = { name = "x" }\n']) {
    assert.ok(edited(text).includes(text));
  }
});

for (const text of ['a\n', 'a = \n', '[a\n', 'a = "b\n', 'a = [1\n', 'a = 1 b = "c" "d"\n"', '= 1\n', 'a = """x\n']) {
  test(`not TOML: ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => readToml(text),
      (error) => error instanceof TomlError && error.line >= 1,
    );
  });
}

test('a text is a value of TOML', () => {
  const [statement] = readToml(`a = ${tomlString('“x” \\ "\n\u007f')}`);
  assert.deepEqual(statement?.path, ['a']);
});

/** Foreign lines, some of which look like ours. */
const STRANGE_LINES: readonly string[] = [
  '# model = "x"\n',
  '\n',
  '   \n',
  'KEY = 1\n',
  'KEY = "[model_providers.headgate]" # model = 1\n',
  'KEY = """\nmodel = "x"\n[model_providers.headgate]\nname = "\\""""\n',
  "KEY = '''\nmodel_provider = 'x'\n'''\n",
  'KEY = [ # ]\n  { model = "[x]" },\n  "\\"]",\n]\n',
  'KEY = {a.b = "}", c = [1, 2]}\n',
  'KEY."model".model_provider = 2024-01-01T00:00:00Z\n',
  "  'KEY quoted' = '\\'\n",
];
const STRANGE_TABLES: readonly string[] = [
  '[KEY]\nmodel = "kept"\nmodel_provider = "kept"\nname = 1\n',
  '[[KEY]] # list\nenv_key = 1\n',
  '[model_providers.KEY]\nname = "kept"\nauth = 1\nenv_key = "kept"\n',
  '["KEY.headgate"]\n',
  '[model_providers."headgate.KEY"]\nname = "kept"\n',
  '[model_providers.headgate.KEY]\nname = "kept"\n',
];
const OURS_IN_ROOT = ['model = "old1"\n', 'model_provider = "old2"\n'];
const OUR_TABLE = ['[model_providers.headgate]\n', 'name = "old3"\n', 'auth = "old4"\n'];

const OUR_LINES: readonly string[] = `${LINES}${BLOCK}`.trimEnd().split('\n');

/** The Park–Miller generator: the same seed gives the same file. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

test('of random files everything that is not ours stays, byte for byte', () => {
  for (let seed = 1; seed <= 3_000; seed++) {
    const eol = seed % 2 === 0 ? '\r\n' : '\n';
    const { pieces, others } = randomFile(random(seed), eol);
    const after = edited(pieces.join(''));
    let at = 0;
    for (const piece of others) {
      while (!after.startsWith(piece, at) && skipOurs(after, at, eol) > at) at = skipOurs(after, at, eol);
      assert.ok(after.startsWith(piece, at), `seed ${seed}: ${JSON.stringify(piece)} at ${at} of\n${after}`);
      at += piece.length;
    }
    while (skipOurs(after, at, eol) > at) at = skipOurs(after, at, eol);
    assert.equal(at, after.length, `seed ${seed}: more than ours was added to\n${after}`);
    for (const line of OUR_LINES.filter((each) => !each.startsWith('['))) {
      assert.equal(after.split(`${line}${eol}`).length, 2, `seed ${seed}: ${line}`);
    }
    const headers = readToml(after).filter(({ kind, path }) => kind === 'table' && path.join('|') === TABLE.join('|'));
    assert.equal(headers.length, 1, `seed ${seed}`);
    assert.equal(edited(after), after, `seed ${seed}, again`);
  }
});

/** The pieces of a file, and those of them that are foreign. */
function randomFile(next: (below: number) => number, eol: string): { pieces: string[]; others: string[] } {
  let keys = 0;
  const pick = (lines: readonly string[]) => lines[next(lines.length)]!.replaceAll('KEY', () => `k${++keys}`);
  const some = (lines: readonly string[]) => Array.from({ length: next(4) }, () => pick(lines));
  const tables = () => some(STRANGE_TABLES).flatMap((table) => [table, ...some(STRANGE_LINES)]);
  const ours = next(2) === 0 ? OUR_TABLE.slice(0, 1 + next(OUR_TABLE.length)) : [];
  const root = OURS_IN_ROOT.filter(() => next(2) === 0);
  const parts = [some(STRANGE_LINES), root, some(STRANGE_LINES), tables(), ours, tables()];
  const pieces = parts.flat().map((piece) => piece.replaceAll('\n', eol));
  const mine = new Set([...root, ...ours].map((piece) => piece.replaceAll('\n', eol)));
  return { pieces, others: pieces.filter((piece) => !mine.has(piece)) };
}

/** After one of our lines or an empty line; here if there is none. */
function skipOurs(text: string, start: number, eol: string): number {
  const line = ['', ...OUR_LINES].find((each) => text.startsWith(each + eol, start));
  return line === undefined ? start : start + line.length + eol.length;
}
