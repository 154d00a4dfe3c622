import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, globSync, mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { nextPoll, WAIT_MS } from './wait.ts';

/** A real Postgres of this process, which ends with it. Its default collation is not by bytes. */
export type PostgresServer = {
  /** Makes an empty database, or a copy of another that nobody is connected to, and gives its URL. */
  makeDatabase(template?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
};

let server: Promise<PostgresServer> | undefined;

/**
 * The server of this process, started on first use.
 *
 * @param programs - the folder of its programs; any other text stands for the newest of Debian's packages
 */
export function postgresServer(programs: string): Promise<PostgresServer> {
  server ??= start(programs.startsWith('/') ? programs : newestPrograms());
  return server;
}

async function start(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-pg-'));
  const user = ownerOf(folder);
  const data = join(folder, 'data');
  const options = ['--no-sync', '--auth=trust', '--username=headgate', '--encoding=UTF8', '--locale=C.UTF-8'];
  const collation = ['--locale-provider=icu', '--icu-locale=en-US'];
  execFileSync(join(programs, 'initdb'), ['-D', data, ...options, ...collation], { ...user, cwd: folder });
  const settings = ['fsync=off', 'full_page_writes=off', 'shared_buffers=32MB', 'max_connections=200'];
  const args = ['-D', data, '-k', folder, '-c', 'listen_addresses=', ...settings.flatMap((each) => ['-c', each])];
  const child = spawnUntilExit(join(programs, 'postgres'), args, { ...user, cwd: folder });
  let log = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-2_000);
  });
  const urlOf = (database: string) => `postgres://headgate@/${database}?host=${encodeURIComponent(folder)}`;

  async function administer(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  const deadline = performance.now() + WAIT_MS;
  for (let isUp = false; !isUp; ) {
    isUp = await administer('select 1').then(
      () => true,
      () => false,
    );
    if (!isUp && performance.now() > deadline) throw new Error(`Postgres does not start: ${log}`);
    if (!isUp) await nextPoll();
  }
  let made = 0;
  return {
    async makeDatabase(template) {
      made += 1;
      const name = `test_${made}`;
      await administer(`create database ${name}${template === undefined ? '' : ` template ${nameOf(template)}`}`);
      return urlOf(name);
    },
    dropDatabase: (url) => administer(`drop database ${nameOf(url)} with (force)`),
  };
}

function nameOf(url: string): string {
  return new URL(url.replace('@/', '@localhost/')).pathname.slice(1);
}

/** A shell outlives this process by a moment, however it ends: it ends the program, and takes the folder away. */
function spawnUntilExit(program: string, args: readonly string[], options: RunsAs & { cwd: string }): ChildProcess {
  const script = '"$@" & read _; kill -QUIT $!; wait $!; rm -rf "$0"';
  const child = spawn('/bin/sh', ['-c', script, options.cwd, program, ...args], {
    ...options,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  for (const each of [child, child.stdin as Socket, child.stderr as Socket]) each.unref();
  return child;
}

/** The folder of the newest server: clients alone have a folder, too. */
export function newestPrograms(packages = '/usr/lib/postgresql'): string {
  const found = globSync(join(packages, '*/bin/postgres'))
    .map(dirname)
    .sort((a, b) => versionIn(a) - versionIn(b))
    .at(-1);
  if (found === undefined) throw new Error(`There is no Postgres in ${packages}: install Debian’s postgresql.`);
  return found;
}

function versionIn(path: string): number {
  return Number(basename(dirname(path)));
}

type RunsAs = { uid?: number; gid?: number };

/** Postgres refuses to run as root. */
function ownerOf(folder: string): RunsAs {
  if (process.getuid?.() !== 0) return {};
  const name = existsSync('/var/lib/postgresql') ? 'postgres' : 'nobody';
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, name], { encoding: 'utf8' })));
  chownSync(folder, uid!, gid!);
  return { uid: uid!, gid: gid! };
}
