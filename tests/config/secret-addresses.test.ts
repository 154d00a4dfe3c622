import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ask } from '../http/client.ts';
import { startCompany } from '../organization/lab.ts';

const SECRETS = ['hunter2password', 'sesame-of-key', 'sesame-of-token', 'sesame-of-signature', 'sesame-alone'];
const [PASSWORD, KEY, TOKEN, SIGNATURE, ALONE] = SECRETS;
const QUERY = `?api_key=${KEY}&token=${TOKEN}&X-Amz-Signature=${SIGNATURE}&${ALONE}`;

/** Lists no models, and notes what it was sent. */
const seen: (string | undefined)[] = [];
const lists = createServer(({ url, headers }, response) => {
  seen.push(`${url} ${headers.authorization}`);
  response.writeHead(418).end();
});
await new Promise<void>((done) => lists.listen(0, '127.0.0.1', done));
after(() => lists.close());
const { port } = lists.address() as AddressInfo;
const SOURCE = `http://ada:${PASSWORD}@127.0.0.1:${port}/list.json${QUERY}`;
const CONFIG = `
providers: { azure: { api_key: sk-0123456789, preset: azure } }
catalog: { refresh: 24h, source: "${SOURCE}" }
`;

function demandNone(text: string, where: string): void {
  for (const secret of SECRETS) assert.ok(!text.includes(secret), `${where}: ${text}`);
}

test('secrets in addresses of catalogs and providers are shown nowhere', async () => {
  const azure = `https://ada:${PASSWORD}@azure.example/${QUERY}`;
  await using company = await startCompany({ config: CONFIG, env: { AZURE_OPENAI_ENDPOINT: azure } });
  const { headgate } = company;
  await headgate.waitForLine(/The catalog could not be brought up to date/);
  assert.match(headgate.stderr(), /\*\*\*@127\.0\.0\.1/);
  const basic = Buffer.from(`ada:${PASSWORD}`).toString('base64');
  assert.equal(seen.at(-1), `/list.json${QUERY} Basic ${basic}`, 'but the list is asked for with them');

  const imports = ['catalog', 'import', SOURCE];
  for (const args of [['config', 'check'], ['doctor'], ['status'], ['providers', 'list'], imports]) {
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await headgate.command(...args, ...json);
      demandNone(stdout + stderr, args.join(' '));
    }
  }
  assert.match(
    (await headgate.command(...imports)).stderr,
    /\*\*\*@127\.0\.0\.1:\d+\/list\.json\?api_key=\*\*\*.* answered 418/,
  );

  const owner = await company.hire('owner', 'owner');
  const shown = await ask(`${headgate.url}/v1/organization/configuration`, { key: owner.key });
  assert.match(shown.text, /\*\*\*@127\.0\.0\.1/);
  demandNone(shown.text, 'the configuration');
  const made = await ask(`${headgate.url}/v1/organization/providers`, {
    key: owner.key,
    body: { id: 'mine', definition: { base_url: azure } },
  });
  assert.equal(made.status, 400);
  demandNone(made.text, 'a refused provider');
  for (const path of ['/status', '/organization/attention', '/organization/audit_logs', '/organization/providers'])
    demandNone((await ask(`${headgate.url}/v1${path}`, { key: owner.key })).text, path);

  const line = await headgate.reload(CONFIG.replace('azure: {', `lab: { base_url: "${azure}" }, azure: {`));
  assert.match(line, /not reloaded/);
  await headgate.waitForLine(/base_url: must not contain a user name or password/);
  demandNone(headgate.stdout() + headgate.stderr(), 'the log');
});
