import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../packages.ts';

/**
 * `npm run release:version -- VERSION`: gives the checkout a new version. Writes it to the manifests and the lock file,
 * moves the changelog's "Unreleased" entries under the version and today's date, commits, and tags the commit. It
 * pushes and publishes nothing.
 */
const WORKSPACES = ['console', 'packages/dialects'];
const MANIFESTS = ['package.json', ...WORKSPACES.map((path) => `${path}/package.json`)];
const LOCK = 'package-lock.json';
const CHANGELOG = 'CHANGELOG.md';
const UNRELEASED = '## [Unreleased]';
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

type Lock = { version: string; packages: Record<string, { version: string }> };

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [version = ''] = positionals;
  release(ROOT, version, new Date().toISOString().slice(0, 10));
  console.log(`Committed and tagged v${version}. Next: npm run release:files, then push the commit and the tag.`);
}

/** Releases the checkout in `root`. `date` is `YYYY-MM-DD`. Throws before any change if it cannot. */
export function release(root: string, version: string, date: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  if (!VERSION.test(version)) throw new Error(`"${version}" is no version such as 1.2.3 or 1.2.3-rc.1.`);
  if (git('status', '--porcelain') !== '') throw new Error('The checkout has changes. Commit them first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`v${version} is tagged already.`);
  const changelog = readFileSync(join(root, CHANGELOG), 'utf8');
  const released = withRelease(changelog, version, date);

  for (const path of MANIFESTS)
    editJson<{ version: string }>(join(root, path), (manifest) => ({ ...manifest, version }));
  editJson<Lock>(join(root, LOCK), (lock) => {
    const own = ['', ...WORKSPACES].map((path) => [path, { ...lock.packages[path]!, version }] as const);
    return { ...lock, version, packages: { ...lock.packages, ...Object.fromEntries(own) } };
  });
  writeFileSync(join(root, CHANGELOG), released);
  git('add', ...MANIFESTS, LOCK, CHANGELOG);
  git('commit', '--quiet', '--message', `Release version ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Headgate ${version}`);
}

/** The changelog with the unreleased entries under a version, and an empty "Unreleased" before it. */
export function withRelease(changelog: string, version: string, date: string): string {
  const [before, rest] = changelog.split(`${UNRELEASED}\n`);
  if (rest === undefined) throw new Error(`${CHANGELOG} has no line "${UNRELEASED}".`);
  const [changes = ''] = rest.split(/^## /m);
  if (changes.trim() === '') throw new Error(`${CHANGELOG} has nothing unreleased.`);
  return `${before}${UNRELEASED}\n\n## [${version}] - ${date}\n${rest}`;
}

function editJson<Content>(path: string, edit: (content: Content) => Content): void {
  writeFileSync(path, `${JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')) as Content), null, 2)}\n`);
}
