import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintKey } from '../src/keys/format.ts';
import { rotationTo } from '../src/keys/keys.ts';
import { ACME, type Company, startCompany } from '../tests/organization/lab.ts';
import { percentiles } from './report/statistics.ts';
import { fillStore } from './store/fill.ts';
import { fillAuditLog } from './store/fill-audit.ts';
import { callsOfCompany, EVERYWHERE, type FilledCompany, fillCompany, filledCompany } from './store/fill-company.ts';
import { CALLING_KEY, usagePaths } from './store/usage-paths.ts';

/**
 * `node bench/lists.ts [--keys 50000] [--people 5000] [--projects 200] [--audit 500000] [--records 0] [--data FOLDER]
 * [--rounds 7] [--workers 1] [--only WORD]`: measures each list of the administration API, and search, in a large
 * organization: their time and, on Linux, CPU time after the slash. Callers are its owner, the owner of one project, a
 * member of one project, a member of a group in all projects, the owner's admin key, and a key that reads its own calls. Then it measures how long
 * other callers wait (health, models, calls, the console) while one caller requests the most expensive lists a hundred
 * times at once, compared with no such load. With `--records` there are this many calls of the company's keys, and only
 * usage is measured: lists by page and filter, sums by grouping. A named folder is kept, and filled only if it is
 * missing.
 */
const { values } = parseArgs({
  options: {
    keys: { type: 'string', default: '50000' },
    people: { type: 'string', default: '5000' },
    projects: { type: 'string', default: '200' },
    audit: { type: 'string', default: '500000' },
    records: { type: 'string', default: '0' },
    data: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    workers: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const UNREACHED = 1_000_000_000;
const AT_ONCE = 100;
const BESIDE_MS = 6_000;
const TOO_SLOW_MS = 300;

const isNew = values.data === undefined || !existsSync(values.data);
const records = Number(values.records);
await using company = await startCompany({
  args: ['--workers', values.workers],
  ...(values.data !== undefined && { data: values.data }),
  config: `limits: { requests_per_minute: ${UNREACHED}, person_requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED}, max_loop_lag: 0 }`,
});
const size = { keys: Number(values.keys), people: Number(values.people), projects: Number(values.projects) };
const filled = filledCompany();
if (isNew) {
  await fillCompany(company, size);
  fillAuditLog(company.headgate.data, ACME, Number(values.audit));
  if (records > 0) await fillStore(company.headgate.data, records, callsOfCompany(size), { organizationId: ACME });
}

/** A caller with its own connections. */
type Asking = { name: string; headers: Record<string, string>; agent: Agent };
const callers = await callersIn(company, filled);
const dearest = await measureLists();
await measureBeside(dearest);
for (const { agent } of callers) agent.destroy();

async function callersIn({ hire: hireAs, cookieOf, keyOf }: Company, { projectId }: FilledCompany): Promise<Asking[]> {
  // A folder that was filled before has the people of earlier rounds.
  const hire = (name: string, role?: 'owner') => hireAs(`${name}.${Date.now()}`, role);
  const asking = (name: string, headers: Record<string, string>) => ({
    ...{ name, headers },
    agent: new Agent({ keepAlive: true, maxSockets: AT_ONCE }),
  });
  const owner = await hire('ada', 'owner');
  const placed = async (name: string, role: 'owner' | 'member') => {
    const hired = await hire(name);
    const place = { kind: 'project_member', id: hired.id, parentId: projectId, version: 1, createdAt: 1 } as const;
    await company.admin().settings.change(ACME, [{ put: { ...place, value: { role } } }], null);
    return asking(`a project’s ${role}`, { cookie: await cookieOf(hired) });
  };
  const inAllProjects = async () => {
    const hired = await hire('dan');
    const place = { kind: 'group_member', id: hired.id, parentId: EVERYWHERE, version: 1, createdAt: 1 } as const;
    await company.admin().settings.change(ACME, [{ put: { ...place, value: {} } }], null);
    return asking('in all projects', { cookie: await cookieOf(hired) });
  };
  /** A new secret of a key that has called, and may read no other calls. */
  const ownCallsKey = async () => {
    const { keys, pepper, clock, random } = company.admin();
    const secret = mintKey(random);
    await keys.rotate(CALLING_KEY, rotationTo(secret, { pepper, now: clock.now(), overlapMs: 0 }));
    return secret;
  };
  return [
    asking('owner', { cookie: await cookieOf(owner) }),
    await placed('bob', 'owner'),
    await placed('carol', 'member'),
    await inAllProjects(),
    asking('owner’s key', { authorization: `Bearer ${owner.key}` }),
    asking('key of its own calls', { authorization: `Bearer ${await ownCallsKey()}` }),
    asking('key of a program', { authorization: `Bearer ${await keyOf({ userId: null, access: 'models' })}` }),
  ];
}

/** The measured paths. */
function paths({ projectId, groupId }: FilledCompany): string[] {
  const own = '/v1/organization';
  const lists = ['projects', 'users', 'groups', 'invites', 'roles', 'admin_api_keys', 'budgets', 'products', 'routes'];
  const further = ['providers', 'aliases', 'price_overrides', 'limit_use', 'spend_limits', 'audit_logs', 'api_keys'];
  const project = `${own}/projects/${projectId}`;
  const inProject = [
    'api_keys',
    'users',
    'groups',
    'service_accounts',
    'rate_limits',
    'model_permissions',
    'spend_alerts',
  ];
  const start = Math.floor(Date.now() / 1000) - 6 * 86_400;
  return [
    ...[...lists, ...further].flatMap((name) => [`${own}/${name}?limit=20`, `${own}/${name}?limit=100`]),
    ...inProject.map((name) => `${project}/${name}?limit=100`),
    `${own}/projects?limit=100&include_archived=true`,
    `${own}/api_keys?limit=100&search=number`,
    `${own}/api_keys?limit=20&search=nothing-of-it`,
    `${own}/users?limit=100&emails[]=person.7@example.com`,
    `${own}/groups/${groupId}/users?limit=100`,
    `${own}/users/${numberedUser(7)}/roles`,
    `${own}/search?query=person`,
    `${own}/search?query=key%20number%204`,
    `${own}/search?query=zzzz`,
    `${own}/attention`,
    `${own}/models/echo/access?limit=20`,
    `${own}/models/echo/access?limit=100`,
    `${own}/models/echo/prices`,
    `${own}/usage/completions?start_time=${start}&group_by[]=api_key_id`,
    `${own}/costs?start_time=${start}&group_by[]=project_id`,
    `${own}/audit_logs?limit=100&project_ids[]=${projectId}`,
    `${own}/audit_logs?limit=100&event_types[]=project.updated&effective_at[lt]=${start - 60 * 86_400}`,
    `${own}/audit_logs?limit=100&event_types[]=project.updated&actor_ids[]=${numberedUser(1)}`,
    '/v1/organization/sessions',
    '/v1/auth/session',
    '/v1/webhook_endpoints?limit=100',
    '/v1/models',
    '/v1/models/catalog?limit=100',
    '/v1/usage?limit=100',
    '/v1/usage/summary?by=key',
    '/v1/status',
  ];
}

function numberedUser(number: number): string {
  return `user_${String(number).padStart(26, '0')}`;
}

/** CPU time of all threads of a process and its children, in ms; 0 if the system does not report it. */
function cpuMs(pid: number): number {
  let sum = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const of = `/proc/${pid}/task/${thread}`;
      sum += Number(readFileSync(`${of}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
      const children = readFileSync(`${of}/children`, 'utf8').split(' ').filter(Boolean);
      for (const child of children) sum += cpuMs(Number(child));
    }
  } catch {
    // Only Linux reports it, and a thread may have ended meanwhile.
  }
  return sum;
}

type Slow = { path: string; caller: Asking; ms: number };

/**
 * Measures the median of each list, without those that the caller may not read. Returns the most expensive ones of each
 * caller.
 */
async function measureLists(): Promise<Slow[]> {
  const people = callers.slice(0, -1);
  console.log(`\n${''.padEnd(64)}${people.map(({ name }) => name.padStart(20)).join('')}`);
  const slow: Slow[] = [];
  for (const path of (records > 0 ? usagePaths(filled, Date.now()) : paths(filled)).filter((each) =>
    each.includes(values.only),
  )) {
    const cells: string[] = [];
    for (const caller of people) {
      const times: number[] = [];
      let status = 0;
      const cpuBefore = cpuMs(company.headgate.pid);
      for (let round = 0; round < Number(values.rounds); round += 1) {
        const answer = await timed(caller, path);
        ({ status } = answer);
        times.push(answer.ms);
      }
      const { p50, max } = percentiles(times)!;
      const cpu = (cpuMs(company.headgate.pid) - cpuBefore) / Number(values.rounds);
      if (status === 200) slow.push({ path, caller, ms: p50 });
      const mark = status === 200 && p50 > TOO_SLOW_MS ? ' !' : '';
      cells.push(status === 200 ? `${p50.toFixed(1)} (${max.toFixed(0)})${mark} / ${cpu.toFixed(0)}` : `${status}`);
    }
    console.log(`${path.slice(0, 62).padEnd(64)}${cells.map((cell) => cell.padStart(20)).join('')}`);
  }
  return people.flatMap((caller) =>
    slow
      .filter((each) => each.caller === caller)
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, 1),
  );
}

/** Measures other callers' requests one by one, first alone, then while one caller keeps a hundred requests open. */
async function measureBeside(slow: readonly Slow[]): Promise<void> {
  const [owner, , member] = callers as [Asking, Asking, Asking];
  const program = callers.at(-1)!;
  const chat = { model: 'echo', messages: [{ role: 'user', content: 'hi' }] };
  const others: [name: string, ask: (caller: Asking) => Promise<number>][] = [
    ['health', async () => (await timed(program, '/healthz')).ms],
    ['models', async () => (await timed(program, '/v1/models')).ms],
    ['a call of echo', async () => (await timed(program, '/v1/chat/completions', chat)).ms],
    ['console: session', async (caller) => (await timed(caller, '/v1/auth/session')).ms],
    [
      'console: keys',
      async (caller) => (await timed(caller, `/v1/organization/projects/${filled.projectId}/api_keys`)).ms,
    ],
  ];
  for (const flood of [null, ...slow]) {
    console.log(flood === null ? '\nalone' : `\nbeside ${AT_ONCE} at once of ${flood.path}, by ${flood.caller.name}`);
    // A person’s sessions and keys are one caller.
    const other = flood?.caller.name.startsWith('owner') ? member : owner;
    let isOver = false;
    const statuses = new Map<number, number>();
    const asking = async () => {
      while (!isOver && flood !== null) {
        const { status } = await timed(flood.caller, flood.path);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        // Refused requests are retried, as clients do.
        if (status === 429) await pause(1_000);
      }
    };
    const flooding = flood === null ? [] : Array.from({ length: AT_ONCE }, asking);
    await pause(500);
    const times = others.map((): number[] => []);
    for (const end = performance.now() + BESIDE_MS; performance.now() < end; )
      for (const [index, [, ask]] of others.entries()) times[index]!.push(await ask(other));
    isOver = true;
    for (const [index, [name]] of others.entries()) {
      const { p50, p99, count } = percentiles(times[index]!)!;
      console.log(`  ${name.padEnd(20)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${count}`);
    }
    await Promise.all(flooding);
    if (flood !== null)
      console.log(`  the caller’s own: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`);
  }
}

function timed(caller: Asking, path: string, body?: object): Promise<{ status: number; ms: number }> {
  const { headers, agent } = caller;
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request(
      company.headgate.url + path,
      { agent, headers: { ...headers, ...json }, method: body === undefined ? 'GET' : 'POST' },
      (response) => {
        const status = response.statusCode ?? 0;
        response.on('end', () => resolve({ status, ms: performance.now() - startedAt })).resume();
      },
    );
    asked.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
