import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { makeFixture } from '../tests/organization/fixture.ts';
import { ACME, startCompany, UMBRELLA } from '../tests/organization/lab.ts';
import { percentiles, spread } from './report/statistics.ts';

/**
 * `node bench/unknown-id.ts [--rounds 41] [--pairs 60]`: tests if the time of a 404 reveals that an id belongs to
 * another organization. For each kind, an owner requests such an id and one that never existed, in turns on one
 * connection. A round gives the ratio of the two medians. The median of the rounds is printed, beside that of two ids
 * that never existed.
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '41' }, pairs: { type: 'string', default: '60' } },
});
const [ROUNDS, PAIRS] = [Number(values.rounds), Number(values.pairs)];

await using company = await startCompany({
  config: 'server: { webhook_hosts: [127.0.0.1] }\nlimits: { requests_per_minute: 1000000000, max_loop_lag: 0 }\n',
});
const [ours, theirs] = [await made(ACME), await made(UMBRELLA)];
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { authorization: `Bearer ${ours.key}` };
const project = `/organization/projects/${ours.fixture.project_id}`;

/** The paths of each kind, by the name of its id in the fixture. */
const KINDS = [
  ['project', 'project_id', '/organization/projects'],
  ['key of a project', 'api_key_id', `${project}/api_keys`],
  ['key of administration', 'key_id', '/organization/admin_api_keys'],
  ['service account', 'service_account_id', `${project}/service_accounts`],
  ['member', 'user_id', '/organization/users'],
  ['invite', 'invite_id', '/organization/invites'],
  ['group', 'group_id', '/organization/groups'],
  ['role', 'role_id', '/organization/roles'],
  ['budget', 'budget_id', '/organization/budgets'],
  ['webhook endpoint', 'webhook_id', '/webhook_endpoints'],
] as const;

console.log(
  `${ROUNDS} rounds of ${PAIRS} pairs; the time of a 404 for an id of another organization / for one that never was`,
);
for (const [kind, param, path] of KINDS) {
  const id = theirs.fixture[param]!;
  const [nowhere, nowhereElse] = [`${id.slice(0, -4)}NONE`, `${id.slice(0, -4)}GONE`];
  const asked = [id, nowhere, nowhereElse].map((each) => `/v1${path}/${each}`) as [string, string, string];
  await round(asked);
  const rounds = [];
  for (let number = 0; number < ROUNDS; number += 1) rounds.push(await round(asked));
  const [ratio, same] = [spread(rounds.map(({ theirs: each }) => each))!, spread(rounds.map((each) => each.neither))!];
  const ms = spread(rounds.map((each) => each.ms))!.median;
  console.log(`${kind.padEnd(22)} ${shown(ratio)}; two that never were: ${shown(same)}; ${ms.toFixed(2)} ms a request`);
}
agent.destroy();

type Ratios = { theirs: number; neither: number; ms: number };

/** All paths equally often, in a rotating order, so that none always follows the same other. */
async function round(paths: readonly [string, string, string]): Promise<Ratios> {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    for (let step = 0; step < paths.length; step += 1) {
      const which = pair % 2 === 0 ? (pair + step) % 3 : (pair + 3 - step) % 3;
      times[which]!.push(await timeOf(paths[which]!));
    }
  }
  const [foreign, nowhere, other] = times.map((each) => percentiles(each)!.p50) as [number, number, number];
  return { theirs: foreign / nowhere, neither: other / nowhere, ms: nowhere };
}

function timeOf(path: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    request(company.headgate.url + path, { agent, headers }, (response) => {
      if (response.statusCode !== 404) reject(new Error(`${path} was answered with ${response.statusCode}`));
      response.on('end', () => resolve(performance.now() - startedAt)).resume();
    })
      .on('error', reject)
      .end();
  });
}

/** Creates one of everything in an organization, and a key of its owner. */
async function made(organizationId: string) {
  const owner = await company.hire('ada', 'owner', organizationId);
  const member = await company.hire('carol', 'reader', organizationId);
  const inProject = { owner: owner.id, member: member.id };
  const { key } = owner;
  return { key, fixture: await makeFixture({ company, organizationId, key, inProject }) };
}

function shown({ median, min, max }: { median: number; min: number; max: number }): string {
  return `${median.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)})`;
}
