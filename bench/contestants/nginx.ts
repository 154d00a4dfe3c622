import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedPort } from '../../src/testing/listen.ts';
import { FACTS, forEachWorkload, type Workload } from '../workloads.ts';
import type { Contestant, Starter, Vendor } from './contestant.ts';
import { passingRoute } from './passing.ts';
import { startProgram } from './program.ts';

type Ports = { whole: number; streamed: number };

/** Debian's folder for nginx is not in the PATH of every user. */
const PATH = `${process.env.PATH}:/usr/sbin`;

/** nginx with one worker, which passes everything to the upstream: the minimal cost of carrying a call. */
export const nginx: Starter = {
  name: 'nginx',
  optional: true,
  get about() {
    return `${findNginx() ?? 'nginx'}: \`proxy_pass\`, one worker, kept connections on both sides, no log`;
  },
  prepare() {
    return (findNginx() ?? installNginx()) === null ? 'nginx is not there, and could not be installed.' : null;
  },
  start: startNginx,
};

async function startNginx(vendor: Vendor): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-bench-nginx-'));
  const ports: Ports = { whole: await closedPort(), streamed: await closedPort() };
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, vendor, ports));
  const args = ['-p', folder, '-c', file, '-e', 'stderr'];
  const running = await startProgram({ command: 'nginx', args, env: { PATH }, port: ports.streamed });
  const routeOf = (workload: Workload) =>
    passingRoute(FACTS[workload].streamed ? ports.streamed : ports.whole, workload);
  return {
    pid: running.pid,
    routes: forEachWorkload(routeOf),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
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

/**
 * Connections are never closed for their number of requests, on either side, as in Headgate. Bodies and answers stay in
 * memory, as in Headgate.
 */
function configuration(folder: string, { url }: Vendor, ports: Ports): string {
  const { protocol, host } = new URL(url);
  const server = (port: number, buffering: 'on' | 'off') => `
  server {
    listen 127.0.0.1:${port} backlog=8192;
    location / {
      proxy_pass ${protocol}//upstream;
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
events { worker_connections 16384; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_max_body_size 64m;
  client_body_buffer_size 256k;
  proxy_buffer_size 16k;
  proxy_buffers 64 16k;
  proxy_max_temp_file_size 0;
  ${paths.join('\n  ')}
  upstream upstream {
    server ${host};
    keepalive 256;
    keepalive_requests 1000000000;
  }${server(ports.whole, 'on')}${server(ports.streamed, 'off')}
}
`;
}
