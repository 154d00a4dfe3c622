/** The password of all seeded people. It is not a secret: only this machine can reach the gateway. */
export const PASSWORD = 'seeded for development';
export const OWNER = 'owner@example.com';
const READER = 'reader@example.com';
const CALLS = 40;

/** A new gateway without data. */
export type Empty = { address: string; origin: string; apiKey: string; ownerLink: string };

/**
 * Fills a new gateway over its HTTP API: an owner, a reader, two projects with a key each, a budget, and calls of all
 * keys.
 *
 * @param models - called in turn
 */
export async function seed({ address, origin, apiKey, ownerLink }: Empty, models: readonly string[]): Promise<void> {
  const visitor = { origin };
  const { cookie } = await post(`${address}/v1/auth/link/open`, visitor, person(ownerLink, OWNER, 'Olga Owner'));
  const owner = { origin, cookie };
  const settings = `${address}/v1/organization`;
  const { json: invite } = await post(`${settings}/invites`, owner, { email: READER, role: 'reader' });
  await post(`${address}/v1/auth/link/open`, visitor, person(String(invite.invite_link), READER, 'Ravi Reader'));

  const keys = [apiKey];
  for (const name of ['support', 'search']) {
    const { json: project } = await post(`${settings}/projects`, owner, { name });
    const { json: made } = await post(`${settings}/projects/${project.id}/api_keys`, owner, { name: `${name} web` });
    keys.push(String(made.value));
  }
  await post(`${settings}/budgets`, owner, {
    ...{ name: 'everybody', holders: [{ type: 'organization' }] },
    ...{ amount_usd: '100', interval: 'month' },
  });
  for (let index = 0; index < CALLS; index += 1) {
    const content = `Question ${index + 1} of ${CALLS}: what is a gateway?`;
    const call = {
      model: models[index % models.length],
      messages: [{ role: 'user', content }],
      stream: index % 3 === 0,
    };
    await post(`${address}/v1/chat/completions`, { authorization: `Bearer ${keys[index % keys.length]}` }, call);
  }
}

function person(link: string, email: string, name: string) {
  return { link: new URL(link).hash.slice(1), email, name, password: PASSWORD };
}

type Posted = { cookie: string; json: Record<string, unknown> };

/** Throws if the answer is not a success. `json` is empty for a stream. */
async function post(url: string, headers: Record<string, string>, body: object): Promise<Posted> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`);
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { cookie, json: isJson ? JSON.parse(text) : {} };
}
