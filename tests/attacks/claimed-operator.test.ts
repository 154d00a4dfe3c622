import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHeadgate } from '../support/headgate.ts';

/** What a caller might send to pass for the operator. */
const CLAIMS: readonly Record<string, string>[] = [
  {},
  { operator: '{"organizationId":null}', 'x-operator': 'true', 'openai-organization': 'operator' },
  { authorization: 'Bearer operator' },
  { host: 'operator' },
];
const OPERATORS_OWN: readonly [method: string, path: string][] = [
  ['POST', '/v1/operator/owner_links'],
  ['GET', '/v1/operator/audit_log/verification'],
  ['POST', '/v1/operator/audit_log/acceptance'],
  ['POST', '/v1/operator/provider_keys/rewrap'],
  ['GET', '/v1/operator/sessions'],
  ['GET', '/v1/operator/gateway'],
  ['GET', '/v1/operator/catalog'],
  ['GET', '/v1/operator/probes'],
];

for (const workers of ['1', '2']) {
  test(`nobody on a network is the operator, with ${workers} worker(s)`, async () => {
    await using gateway = await startHeadgate({ config: '{}\n', args: ['--workers', workers] });
    for (const layer of [{}, { authorization: `Bearer ${gateway.key}` }]) {
      for (const claim of CLAIMS) {
        const headers = { 'content-type': 'application/json', ...layer, ...claim };
        for (const [method, path] of OPERATORS_OWN) {
          const body = method === 'POST' ? '{}' : null;
          const { status } = await fetch(`${gateway.url}${path}`, { method, headers, body });
          assert.equal(status, 404, `${method} ${path} ${JSON.stringify(headers)}`);
        }
        if ('authorization' in layer && !('authorization' in claim)) continue;
        const { status } = await fetch(`${gateway.url}/v1/organization/projects`, { headers });
        assert.equal(status, 401, JSON.stringify(headers));
      }
    }
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as { paths: object };
    assert.deepEqual(
      Object.keys(paths).filter((path) => path.includes('operator')),
      [],
    );
  });
}
