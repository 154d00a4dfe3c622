import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../src/config/schema.ts';
import { DURATION, SIZE } from '../src/config/units.ts';
import { SMUGGLING } from './fuzz/smuggling.ts';
import { CONSTANTS, MEASURED, OF_SECURITY } from './threat-model-numbers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const MODEL = textOf('docs/threat-model.md');
const SECURITY = textOf('SECURITY.md');

/** The rows of the tables of attempts and events. */
const ROWS = MODEL.split('\n').flatMap((line) => {
  if (!line.startsWith('| ') || line.startsWith('| **') || /^\| (attempt|event|who) \|/.test(line)) return [];
  const cells = line.replace(/^\| | \|$/g, '').split(' | ');
  return [{ attempt: cells[0]!, cost: cells.slice(1, -1).join(' | '), heldBy: cells.at(-1)! }];
});

test('the table is found', () => assert.ok(ROWS.length > 50, `${ROWS.length}`));

test('each line of the threat model names a test that is there, or a command', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  for (const { attempt, heldBy } of ROWS) {
    const named = [...heldBy.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    assert.ok(named.length > 0, `nothing holds: ${attempt}`);
    for (const name of named) assert.ok(isThere(name, scripts), `${name} is not there: ${attempt}`);
  }
});

/** `cut-streams` is an attack; a path is one of a test, without its ending, or of a folder of tests. */
function isThere(name: string, scripts: Readonly<Record<string, string>>): boolean {
  const command = /^npm run (\S+)/.exec(name)?.[1];
  if (command !== undefined) return scripts[command] !== undefined;
  const path = name.includes('/') ? name : `tests/attacks/${name}`;
  if (name.endsWith('/')) return globSync(`${name}*.test.ts`, { cwd: ROOT }).length > 0;
  return existsSync(join(ROOT, name.endsWith('.test.ts') ? path : `${path}.test.ts`));
}

/** A number as people write it, with its unit. */
const NUMBER = String.raw`\d[\d,]*(?: (?:KB|MB|ms|s|min|days)\b)?`;
const NAME = '`([a-z_]+(?:\\.[a-z_]+)?)`';
/** How a number stands beside the setting whose default it is. */
const PAIRS = [
  new RegExp(`${NAME}[,;]? \\((?<number>${NUMBER})\\)`, 'g'),
  new RegExp(`${NAME} (?<number>${NUMBER})`, 'g'),
  new RegExp(`(?<number>${NUMBER})[^\`\\d;|(]*\\(${NAME}\\)`, 'g'),
];

/** Defaults by the name of their setting, alone and with its section, as the file would say them. */
const DEFAULTS = defaultsOf(configSchema());

test('numbers beside settings are their defaults', () => {
  let found = 0;
  for (const text of [...ROWS.map(({ cost }) => cost), SECURITY.replaceAll(/\s+/g, ' ')]) {
    for (const pattern of PAIRS) {
      for (const match of text.matchAll(pattern)) {
        const name = match.slice(1).find((part) => /^[a-z_.]+$/.test(part))!;
        const told = match.groups!.number!;
        assert.ok(DEFAULTS.has(name), `${name} is no setting: ${match[0]}`);
        assert.equal(amountOf(told), amountOf(String(DEFAULTS.get(name))), match[0]);
        found += 1;
      }
    }
  }
  assert.ok(found >= 20, `${found} numbers were found`);
});

test('other numbers are those of the sources', () => {
  for (const [document, numbers] of [
    [MODEL, CONSTANTS],
    [SECURITY.replaceAll(/\s+/g, ' '), OF_SECURITY],
  ] as const) {
    for (const [phrase, file, source] of numbers) {
      assert.ok(document.includes(phrase), `the document does not say: ${phrase}`);
      assert.ok(textOf(file).includes(source), `${file} does not say ${source}, for: ${phrase}`);
    }
  }
  assert.ok(MODEL.includes(`${SMUGGLING.length} shapes`));
});

test('no number of the threat model stands there without a source', () => {
  const known = [...CONSTANTS.map(([phrase]) => phrase), ...MEASURED, `${SMUGGLING.length} shapes`];
  for (const { attempt, cost } of ROWS) {
    let left = cost.replace(/\]\([^)]*\)/g, ']');
    for (const pattern of PAIRS) left = left.replace(pattern, '');
    for (const phrase of known) left = left.replaceAll(phrase, '');
    left = left.replace(/HTTP\/1\.1|AES-256-GCM|SHA-256|base64|IPv[46]|\b[45]\d\d\b/g, '');
    assert.doesNotMatch(left, /\d/, attempt);
  }
});

type SchemaNode = { properties?: Record<string, SchemaNode>; anyOf?: readonly SchemaNode[]; default?: unknown };

function defaultsOf(schema: unknown): Map<string, unknown> {
  const membersOf = (node: SchemaNode) =>
    Object.entries(node.properties ?? node.anyOf?.find(({ properties }) => properties !== undefined)?.properties ?? {});
  const all = membersOf(schema as SchemaNode).flatMap(([section, node]) =>
    membersOf(node).flatMap(([name, { default: value }]): [string, unknown][] => [
      [`${section}.${name}`, value],
      [name, value],
    ]),
  );
  return new Map(all);
}

/** In ms, bytes, or alone. */
function amountOf(text: string): number | null {
  const plain = text.replaceAll(',', '').replace(' min', 'm').replace(' days', 'd').replace(' ', '');
  return /[BK]$|B$/.test(plain) ? SIZE.parse(plain) : (DURATION.parse(plain) ?? Number(plain));
}
