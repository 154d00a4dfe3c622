import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMMON_OPTIONS } from '../src/cli/command.ts';
import { allCommands } from '../src/cli/commands.ts';
import { GatewayError } from '../src/core/errors.ts';
import { errorBody } from '../src/dialects/anthropic-messages/errors.ts';
import { Metrics } from '../src/telemetry/metrics.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LINK = /\]\((?!https?:)([^)#\s]+)/g;
/** A file with its folder, in backticks: `store/sqlite/ledger.ts`. */
const FILE = /`([\w.-]+\/[\w./-]+\.(?:ts|js|json|md|yaml))`/g;

const documents = globSync(['*.md', 'docs/**/*.md', 'examples/*.md'], { cwd: ROOT });

for (const document of documents) {
  const text = readFileSync(join(ROOT, document), 'utf8');

  test(`${document} links to what is there`, () => {
    // What stands in backticks is no link.
    const links = [...text.replaceAll(/`[^`\n]+`/g, 'code').matchAll(LINK)].map(([, link]) => link!);
    const broken = links.filter((link) => !existsSync(join(ROOT, dirname(document), link)));
    assert.deepEqual(broken, []);
  });

  test(`${document} names files that are there`, () => {
    const files = [...text.matchAll(FILE)].map(([, file]) => file!);
    const gone = files.filter((file) => ![ROOT, join(ROOT, 'src')].some((folder) => existsSync(join(folder, file))));
    assert.deepEqual(gone, []);
  });
}

/** Commands in documents, in code: the words after `headgate`, and the names of their options. */
const COMMAND = /\bheadgate ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?([^`\n#;|)]*)/g;
const CODE = /```(?:sh|yaml)?\n[\s\S]*?```|`[^`\n]+`/g;

test('documents name commands and options that exist', async () => {
  const commands = new Map((await allCommands()).map((command) => [command.name, command]));
  const wrong: string[] = [];
  let found = 0;
  for (const document of documents.filter((name) => !/^CHANGELOG|decisions/.test(name))) {
    const code = readFileSync(join(ROOT, document), 'utf8').match(CODE) ?? [];
    for (const [text, first, second, rest] of code.flatMap((each) => [...each.matchAll(COMMAND)])) {
      const command = commands.get(`${first} ${second}`) ?? commands.get(first!);
      const known = { ...COMMON_OPTIONS, ...command?.options };
      const options = [...rest!.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name!);
      found += 1;
      if (command === undefined || options.some((name) => !(name in known))) wrong.push(`${document}: ${text.trim()}`);
    }
  }
  assert.ok(found > 60, `${found}`);
  assert.deepEqual(wrong, []);
});

test('the documents are found', () => {
  for (const name of ['README.md', 'docs/connect.md', 'docs/operations.md'])
    assert.ok(documents.includes(name), documents.join(', '));
});

test('CHANGELOG.md has one line for each entry, under the headings of Keep a Changelog, and none twice', () => {
  const lines = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split('\n').filter(Boolean);
  const body = lines.slice(lines.findIndex((line) => line.startsWith('## ')));
  const heading = /^(## \[.+\]( - \d{4}-\d\d-\d\d)?|### (Added|Changed|Deprecated|Removed|Fixed|Security))$/;
  const entries = body.filter((line) => line.startsWith('- '));
  const others = body.filter((line) => !line.startsWith('- ') && !heading.test(line));
  assert.deepEqual(others, ['Nothing has been released yet; this becomes 0.1.0.']);
  assert.deepEqual(
    entries.filter((line, index) => entries.indexOf(line) !== index),
    [],
  );
});

test('docs/operations.md has a row for each metric of ours, and for no other', async () => {
  const { body } = await new Metrics().text();
  const served = [...body.matchAll(/^# TYPE (headgate_\w+)/gm)].map(([, name]) => name);
  const text = readFileSync(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `(headgate_\w+)`/gm)].map(([, name]) => name);
  assert.deepEqual(documented, served);
});

test('docs/errors.md tells the type of an error in Anthropic’s body, by its status', () => {
  const text = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const [, told = ''] = /`type` is told by the status alone: (.*?); any other/.exec(text) ?? [];
  const documented = [...told.matchAll(/((?:\d{3}[ a-z]*)+) `(\w+)`/g)].flatMap(([, statuses, type]) =>
    statuses!.match(/\d{3}/g)!.map((status) => [Number(status), type] as const),
  );
  const typeOf = (status: number) => {
    const error = new GatewayError('invalid_request', 'No.', { status });
    return (JSON.parse(errorBody(error, null)) as { error: { type: string } }).error.type;
  };
  const special = Array.from({ length: 200 }, (_, index) => 400 + index).flatMap((status) => {
    const type = typeOf(status);
    return ['invalid_request_error', 'api_error'].includes(type) ? [] : [[status, type] as const];
  });
  assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(special));
});
