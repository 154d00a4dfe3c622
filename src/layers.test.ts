import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** The rooms of `src`, and which others each may import, as the table in ARCHITECTURE.md says. `runtime` may import all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = tableOfRooms();
/** Puts the rooms together: it may import them all, and only `main.ts` imports it. */
const ROOT = 'runtime';

/** Rooms that are handed time, randomness and ids. */
const TIMELESS = ['core', 'json', 'dialects', 'health', 'learning', 'routing'];
const OPENS_SOCKETS = ['upstream', 'http', 'testing'];
const SOCKET_MODULES = /^(undici|(node:)?(http|https|http2|net|tls|dgram))(\/|$)/;
/** Their JSON comes of callers and vendors, whose names `parseJson` reads as they are. */
const PARSES_JSON = ['dialects', 'pipeline', 'surfaces'];

/**
 * Which resources of `organization` use which others. All may use the files beside the folders; `SHARED` has those of them that
 * use a resource in turn. `resources.ts` lists all.
 */
const USES_OF_RESOURCES: Readonly<Record<string, readonly string[]>> = {
  'admin-keys': ['api-keys'],
  alerts: ['budgets', 'projects', 'webhooks'],
  aliases: ['routes'],
  'api-keys': ['projects', 'service-accounts', 'webhooks'],
  attention: ['budgets', 'limits'],
  budgets: ['aliases'],
  invites: ['groups', 'members', 'projects'],
  limits: ['alerts', 'budgets', 'projects'],
  members: ['roles'],
  'model-access': ['projects'],
  'operator-keys': ['api-keys', 'products', 'service-accounts'],
  'operator-routes': ['routes'],
  prices: ['routes'],
  products: ['api-keys', 'budgets', 'projects', 'service-accounts'],
  projects: ['groups', 'invites', 'members', 'roles'],
  retention: ['projects'],
  roles: ['groups', 'members', 'projects'],
  search: ['providers'],
  'service-accounts': ['api-keys', 'projects'],
  'sign-in': ['invites', 'members'],
};
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'administration.ts': ['api-keys', 'webhooks'],
  'gateway-settings.ts': ['aliases', 'prices', 'products'],
  'grants.ts': ['api-keys'],
  'parts.ts': ['budgets', 'providers', 'settings', 'sign-in'],
  'permissions.ts': ['projects'],
};

/** Names that several files may give to a type: in a dialect a `Message` is its own vendor's. */
const OF_DIALECTS = ['Content', 'ContentPart', 'Message', 'Open', 'WireMessage'];

/** A file of `src`: its path from there, and what it says. */
type Source = { path: string; text: string };
type Import = { from: string; typeOnly: boolean };

const sources = readSources();

test('every import obeys the table of rooms', () => check(wrongImports));
test('core imports nothing', () => check(coreImports));
test('only upstream, http and testing open sockets', () => check(sockets));
test('the environment is read in config alone', () => check(environment));
test('core, dialects and routing are handed time and randomness', () => check(timeAndRandomness));
test('what SQLite alone understands is said in store/sqlite alone', () => check(sqliteWords));
test('resources use each other where the table says so', () => check(wallsOfResources));
test('every use in the table of resources is needed', () => assert.deepEqual(unneededUses(sources), []));
test('one file alone imports an engine of the store', () => check(engineImports));
test('what callers and vendors sent is parsed by json/parse.ts', () => check(nativeParsing));
test('only the store runs statements of a database', () => check(databases));
test('nothing is exported by default', () => check(defaultExports));
test('no files import each other in a circle, but for types', () => assert.deepEqual(circles(sources), []));
test('no two types share a name', () => assert.deepEqual(sharedNames(sources), []));
test('every permission of the table is used', () => assert.deepEqual(unusedPermissions(sources), []));

test('every room is in the table', () => {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== ''));
  assert.deepEqual(
    [...rooms].filter((room) => room !== ROOT && MAY_IMPORT[room] === undefined),
    [],
  );
});

test('each check can fail', () => {
  const planted: readonly [(source: Source) => string[], path: string, text: string][] = [
    [wrongImports, 'core/a.ts', "import { b } from '../http/b.ts';"],
    [wrongImports, 'dialects/a.ts', "import type { B } from '../upstream/b.ts';"],
    [wrongImports, 'dialects/one/a.ts', "import { b } from '../two/b.ts';"],
    [wrongImports, 'http/a.ts', "export {\n  b,\n  type C,\n} from '../store/b.ts';"],
    [wrongImports, 'store/a.ts', "import '../keys/b.ts';"],
    [wrongImports, 'providers/a.ts', "const b = await import('../routing/b.ts');"],
    [wrongImports, 'routing/a.ts', "let b: import('../pipeline/b.ts').B;"],
    [wrongImports, 'surfaces/a.ts', 'const b = await import(name);'],
    [wrongImports, 'cli/a.ts', "import { app } from '../runtime/gateway.ts';"],
    [wrongImports, 'config/a.ts', "import text from '../../package.json';"],
    [wrongImports, 'runtime/a.ts', "import { b } from '../core/b.test.ts';"],
    [coreImports, 'core/a.ts', "import { join } from 'node:path';"],
    [coreImports, 'core/a.ts', "import { z } from 'zod';"],
    [sockets, 'pipeline/a.ts', "import { request } from 'undici';"],
    [sockets, 'keys/a.ts', "import { connect } from 'node:net';"],
    [sockets, 'surfaces/a.ts', "const { get } = await import('node:https');"],
    [sockets, 'runtime/a.ts', 'const answer = await fetch(url);'],
    [environment, 'http/a.ts', 'const port = process.env.PORT;'],
    [environment, 'http/a.ts', "import { env } from 'node:process';"],
    [timeAndRandomness, 'core/a.ts', 'const now = Date.now();'],
    [timeAndRandomness, 'dialects/one/a.ts', 'const id = Math.random();'],
    [timeAndRandomness, 'routing/a.ts', 'const now = new Date();'],
    [sqliteWords, 'store/a.ts', "database.exec('pragma user_version');"],
    [sqliteWords, 'store/a.ts', 'sql`insert or replace into a values (1)`'],
    [sqliteWords, 'store/a.ts', "import type { DatabaseSync } from 'node:sqlite';"],
    [sqliteWords, 'store/a.ts', "database.prepare('select 1 from calls');"],
    [sqliteWords, 'runtime/a.ts', "import { DatabaseSync } from 'node:sqlite';\nnew DatabaseSync(path);"],
    [wallsOfResources, 'organization/prices/service.ts', "import { b } from '../budgets/service.ts';"],
    [wallsOfResources, 'organization/notes.ts', "import type { B } from './budgets/service.ts';"],
    [sqliteWords, 'store/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
    [databases, 'organization/a.ts', "import { sql } from 'kysely';"],
    [databases, 'main.ts', "import { DatabaseSync } from 'node:sqlite';"],
    [databases, 'store/a.ts', "const { DatabaseSync } = await import('node:sqlite');"],
    [engineImports, 'store/a.ts', "import { b } from './sqlite/b.ts';"],
    [engineImports, 'runtime/a.ts', "import type { B } from '../store/sqlite/b.ts';"],
    [engineImports, 'main.ts', "import { b } from './store/sqlite/b.ts';"],
    [engineImports, 'store/journal/a.ts', "import type { B } from '../sqlite/b.ts';"],
    [engineImports, 'store/a.ts', "const b = await import('./sqlite/b.ts');"],
    [engineImports, 'store/a.ts', "import { b } from './postgres/b.ts';"],
    [engineImports, 'store/postgres/a.ts', "import { b } from '../sqlite/b.ts';"],
    [databases, 'store/sqlite/a.ts', "import pg from 'pg';"],
    [nativeParsing, 'dialects/one/a.ts', 'const value = JSON.parse(text);'],
    [nativeParsing, 'pipeline/a.ts', 'values.map(JSON.parse);'],
    [defaultExports, 'http/a.ts', 'export default function a() {}'],
  ];
  for (const [rule, path, text] of planted) assert.notDeepEqual(rule({ path, text }), [], `${rule.name}: ${text}`);
});

test('the checks of all files together can fail, and let pass what is allowed', () => {
  const a = { path: 'http/a.ts', text: "import { b } from './b.ts';" };
  const b = { path: 'http/b.ts', text: "export { c } from './fast/c.ts';" };
  const c = { path: 'http/fast/c.ts', text: "import { a } from '../a.ts';" };
  const typesOfA = { path: 'http/fast/c.ts', text: "import type { A } from '../a.ts';" };
  assert.deepEqual(circles([a, b, c]), ['http/a.ts → http/b.ts → http/fast/c.ts → http/a.ts']);
  assert.deepEqual(circles([a, b, typesOfA]), []);
  const twice = sharedNames([
    { path: 'http/a.ts', text: 'export type Shape = 1;' },
    { path: 'keys/b.ts', text: 'class Shape {}' },
  ]);
  assert.deepEqual(twice, ['Shape: http/a.ts, keys/b.ts']);
  assert.ok(unneededUses([a, b, c]).includes('limits → budgets'));
  assert.ok(unusedPermissions([a, b, c]).includes('http → core'));
  assert.ok(
    !unusedPermissions([{ path: 'http/a.ts', text: "import type { B } from '../core/b.ts';" }]).includes('http → core'),
  );
});

test('each check lets pass what is allowed', () => {
  const allowed: readonly [(source: Source) => string[], path: string, text: string][] = [
    [wrongImports, 'dialects/one/a.ts', "import { b } from '../b.ts';\nimport { c } from './c.ts';"],
    [wrongImports, 'dialects/built.ts', "import { a } from './one/a.ts';"],
    [wrongImports, 'runtime/a.ts', "import { a } from '../store/a.ts';\nimport { b } from './serve.ts';"],
    [wrongImports, 'main.ts', "import { a } from './runtime/a.ts';"],
    [wrongImports, 'http/a.ts', "// import { b } from '../store/b.ts';"],
    [wrongImports, 'providers/a.test.ts', "import { b } from '../upstream/b.ts';"],
    [coreImports, 'core/a.test.ts', "import { test } from 'node:test';"],
    [sockets, 'surfaces/a.ts', "import type { ServerResponse } from 'node:http';"],
    [sockets, 'upstream/a.ts', "import { Pool } from 'undici';"],
    [environment, 'config/a.ts', 'const port = process.env.PORT;'],
    [timeAndRandomness, 'dialects/a.ts', 'const at = new Date(text);'],
    [sqliteWords, 'store/sqlite/a.ts', "database.exec('pragma user_version');"],
    [sqliteWords, 'store/sqlite/a.ts', "database.prepare('select 1 from calls');"],
    [
      wallsOfResources,
      'organization/budgets/api.ts',
      "import { b } from './service.ts';\nimport { c } from '../parts.ts';",
    ],
    [wallsOfResources, 'organization/resources.ts', "import { b } from './budgets/api.ts';"],
    [wallsOfResources, 'organization/limits/use.ts', "import type { B } from '../budgets/standing.ts';"],
    [databases, 'store/a.ts', "import { sql } from 'kysely';"],
    [databases, 'store/sqlite/a.ts', "import { DatabaseSync } from 'node:sqlite';"],
    [engineImports, 'store/open.ts', "import { b } from './sqlite/b.ts';"],
    [engineImports, 'store/sqlite/a.ts', "import { b } from './thread/b.ts';"],
    [engineImports, 'store/a.test.ts', "import { b } from './sqlite/b.ts';"],
    [nativeParsing, 'json/parse.ts', 'JSON.parse(text);'],
    [nativeParsing, 'dialects/contract/cases.ts', 'JSON.parse(text);'],
  ];
  for (const [rule, path, text] of allowed) assert.deepEqual(rule({ path, text }), [], text);
});

function check(rule: (source: Source) => string[]): void {
  assert.deepEqual(sources.flatMap(rule), []);
}

function readSources(): readonly Source[] {
  const root = fileURLToPath(new URL('.', import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Tests stand on the real parts of whatever room they need. */
function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

function wrongImports({ path, text }: Source): string[] {
  if (isTest(path)) return [];
  return importsIn(text)
    .filter(({ from }) => from.startsWith('.') || from === '')
    .filter(({ from }) => !mayImport(path, normalize(join(dirname(path), from)), from))
    .map(({ from }) => `${path} imports ${from === '' ? 'what no reader can tell' : from}`);
}

function mayImport(path: string, target: string, written: string): boolean {
  if (written === '' || target.startsWith('..') || isTest(target)) return false;
  const [from, to] = [roomOf(path), roomOf(target)];
  if (from === '' || from === ROOT) return true;
  if (from === to) return from !== 'dialects' || !crossesDialects(path, target);
  return MAY_IMPORT[from]?.includes(to) === true;
}

/** Each circle once: its files in the order in which they import each other. Imports of types alone do not count. */
function circles(of: readonly Source[]): string[] {
  const imports = new Map(of.map(({ path, text }) => [path, isTest(path) ? [] : valuesImported(path, text)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, way: readonly string[]) => {
    if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path) || way.includes(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

function valuesImported(path: string, text: string): string[] {
  return importsIn(text)
    .filter(({ from, typeOnly }) => from.startsWith('.') && !typeOnly)
    .map(({ from }) => normalize(join(dirname(path), from)));
}

/** Types, interfaces and classes, but for those of tests. */
function sharedNames(of: readonly Source[]): string[] {
  const places = new Map<string, string[]>();
  for (const { path, text } of of.filter((source) => !isTest(source.path))) {
    const declared = withoutComments(text).matchAll(/^(?:export )?(?:abstract )?(?:type|interface|class) (\w+)/gm);
    for (const [, name = ''] of declared) places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places]
    .filter(([name, paths]) => paths.length > 1 && !OF_DIALECTS.includes(name))
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

function unusedPermissions(of: readonly Source[]): string[] {
  const used = of.flatMap(({ path, text }) => {
    const to = (from: string) => roomOf(normalize(join(dirname(path), from)));
    return isTest(path) ? [] : importsIn(text).map(({ from }) => `${roomOf(path)} → ${to(from)}`);
  });
  const allowed = Object.entries(MAY_IMPORT).flatMap(([room, others]) => others.map((other) => `${room} → ${other}`));
  return allowed.filter((permission) => !used.includes(permission));
}

function crossesDialects(path: string, target: string): boolean {
  const [mine, other] = [path, target].map((file) => file.split('/').slice(1, -1).join('/'));
  return mine !== '' && other !== '' && mine !== other;
}

function coreImports({ path, text }: Source): string[] {
  if (isTest(path) || roomOf(path) !== 'core') return [];
  return importsIn(text)
    .filter(({ from }) => !from.startsWith('./'))
    .map(({ from }) => `${path} imports ${from}`);
}

function sockets({ path, text }: Source): string[] {
  if (isTest(path) || OPENS_SOCKETS.includes(roomOf(path))) return [];
  const modules = importsIn(text).filter(({ from, typeOnly }) => !typeOnly && SOCKET_MODULES.test(from));
  return [...modules.map(({ from }) => from), ...says(text, /(?<![.\w])(fetch|new WebSocket|new EventSource)\(/)].map(
    (what) => `${path} opens sockets with ${what}`,
  );
}

function environment({ path, text }: Source): string[] {
  if (isTest(path) || roomOf(path) === 'config') return [];
  return says(text, /\bprocess\.env\b|'(node:)?process'/).map((what) => `${path} reads ${what}`);
}

function timeAndRandomness({ path, text }: Source): string[] {
  if (isTest(path) || !TIMELESS.includes(roomOf(path))) return [];
  return says(text, /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b/).map(
    (what) => `${path} uses ${what}`,
  );
}

/** Words of statements that another database would refuse, as far as they are known. */
const SQLITE_WORDS =
  /\bpragma \w|\binsert or (?:replace|ignore)\b|\bbegin (?:immediate|exclusive)\b|\bwithout rowid\b|\b(?:json_extract|json_each|strftime|unixepoch|julianday|group_concat|ifnull|last_insert_rowid)\(/i;

function sqliteWords({ path, text }: Source): string[] {
  if (isTest(path) || path.startsWith('store/sqlite/')) return [];
  return [...says(text, SQLITE_WORDS), ...says(text, /\bDatabaseSync\b|\.prepare\(\s*[`'"]/)].map(
    (what) => `${path} says ${what}`,
  );
}

function wallsOfResources({ path, text }: Source): string[] {
  const allowed = allowedUsesOf(path);
  return resourcesUsed(path, text)
    .filter((resource) => allowed !== 'all' && !allowed.includes(resource))
    .map((resource) => `${path} uses ${resource}`);
}

function allowedUsesOf(path: string): readonly string[] | 'all' {
  const [, first = ''] = path.split('/');
  if (first === 'resources.ts') return 'all';
  return (first.endsWith('.ts') ? SHARED[first] : USES_OF_RESOURCES[first]) ?? [];
}

/** The other resources of `organization` whose files a file there imports, also for types only. */
function resourcesUsed(path: string, text: string): string[] {
  if (isTest(path) || roomOf(path) !== 'organization') return [];
  const targets = importsIn(text).map(({ from }) => normalize(join(dirname(path), from)).split('/'));
  const [, own] = path.split('/');
  return targets.flatMap(([room, resource, file]) =>
    room === 'organization' && file !== undefined && resource !== own ? resource! : [],
  );
}

function unneededUses(of: readonly Source[]): string[] {
  const used = new Set(
    of.flatMap(({ path, text }) => resourcesUsed(path, text).map((resource) => `${path.split('/')[1]} → ${resource}`)),
  );
  const allowed = Object.entries({ ...USES_OF_RESOURCES, ...SHARED });
  return allowed
    .flatMap(([user, resources]) => resources.map((resource) => `${user} → ${resource}`))
    .filter((use) => !used.has(use));
}

/** The door to the store: it chooses the engine. */
const CHOOSES_ENGINES = 'store/open.ts';

/** The folders of the engines. None imports another. */
const ENGINES = ['store/sqlite/', 'store/postgres/'];

function engineImports({ path, text }: Source): string[] {
  if (isTest(path) || path === CHOOSES_ENGINES) return [];
  const targets = importsIn(text).map(({ from }) => normalize(join(dirname(path), from)));
  const isOther = (target: string) => ENGINES.some((engine) => target.startsWith(engine) && !path.startsWith(engine));
  return targets.filter(isOther).map((target) => `${path} imports ${target}`);
}

/** What makes or runs statements, in any language: kysely in the store alone, a driver in its engine alone. Tests start a Postgres. */
function databases({ path, text }: Source): string[] {
  if (isTest(path)) return [];
  const forbidden = (from: string) =>
    (from === 'kysely' && roomOf(path) !== 'store') ||
    (from === 'node:sqlite' && !path.startsWith('store/sqlite/')) ||
    (from === 'pg' && !path.startsWith('store/postgres/') && roomOf(path) !== 'testing');
  return importsIn(text)
    .filter(({ from }) => forbidden(from))
    .map(({ from }) => `${path} imports ${from}`);
}

function nativeParsing({ path, text }: Source): string[] {
  if (isTest(path) || path.startsWith('dialects/contract/') || !PARSES_JSON.includes(roomOf(path))) return [];
  return says(text, /\bJSON\.parse\b/).map((what) => `${path} uses ${what}`);
}

function defaultExports({ path, text }: Source): string[] {
  return says(text, /^export default\b|\bas default\b/m).map(() => `${path} has a default export`);
}

function roomOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** Static, re-exporting, type and dynamic imports; '' for one that is computed. */
function importsIn(text: string): Import[] {
  const code = withoutComments(text);
  const statements = code.matchAll(/^(?:import|export)\s+(type\s)?(?:[\w\s{},*$]*?\sfrom\s+)?'([^'\n]+)'/gm);
  const dynamic = code.matchAll(/\bimport\(\s*(?:'([^'\n]+)')?/g);
  return [
    ...[...statements].map(([, type, from]) => ({ from: from ?? '', typeOnly: type !== undefined })),
    ...[...dynamic].map(([, from]) => ({ from: from ?? '', typeOnly: false })),
  ];
}

function says(text: string, pattern: RegExp): string[] {
  const found = pattern.exec(withoutComments(text));
  return found === null ? [] : [found[0]];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function tableOfRooms(): Record<string, readonly string[]> {
  const text = readFileSync(fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url)), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)\/` \|.*\| ([\w, ]+) \|$/gm)].map(
    ([, room, others]) => [room!, others!] as const,
  );
  const rooms = rows.filter(([, others]) => others !== 'all');
  return Object.fromEntries(rooms.map(([room, others]) => [room, others === 'nothing' ? [] : others.split(', ')]));
}
