import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from '../src/testing/listen.ts';
import type { Work } from './work.ts';

export type Nginx = AsyncDisposable & { pid: number; version: string; ports: Readonly<Record<Work, number>> };

/** Debian's is not on the path of every user. */
const PATH = `${process.env.PATH}:/usr/sbin`;
const START_MS = 5000;

/** nginx with one worker, passing everything to the upstream; `null` where there is none and none can be installed. */
export async function startNginx(upstreamPort: number): Promise<Nginx | null> {
  const version = findNginx() ?? installNginx();
  if (version === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-nginx-'));
  const ports = { small: await closedPort(), stream: await closedPort() };
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, upstreamPort, ports));
  const child = spawn('nginx', ['-p', folder, '-c', file, '-e', 'stderr'], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await reachable(ports.stream, child);
  return {
    pid: child.pid!,
    version,
    ports,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findNginx(): string | null {
  const { stderr, status } = spawnSync('nginx', ['-v'], { env: { PATH }, encoding: 'utf8' });
  return status === 0 ? (/nginx\/\S+/.exec(stderr)?.[0] ?? null) : null;
}

function installNginx(): string | null {
  if (process.getuid?.() !== 0) return null;
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  if (!apt('install', '-y', 'nginx') && apt('update')) apt('install', '-y', 'nginx');
  return findNginx();
}

/** Connections are never closed for their number of requests, on neither side: Headgate does not close its own. */
function configuration(folder: string, upstreamPort: number, ports: Record<Work, number>): string {
  const server = (port: number, buffering: 'on' | 'off') => `
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://upstream;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering ${buffering};
    }
  }`;
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  ${paths.join('\n  ')}
  upstream upstream {
    server 127.0.0.1:${upstreamPort};
    keepalive 64;
    keepalive_requests 1000000000;
  }${server(ports.small, 'on')}${server(ports.stream, 'off')}
}
`;
}

async function reachable(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
  }
  child.kill('SIGKILL');
  throw new Error('nginx did not start.');
}
