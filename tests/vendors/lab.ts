import assert from 'node:assert/strict';
import { after } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { ask } from '../http/client.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

type Places = { url: string; only: (models: string) => string };

/**
 * A gateway whose providers are all one vendor.
 *
 * @param providersOf - their lines of the configuration; `only`: the members of one with these models
 * @returns makes a call, which the vendor answers in the dialect that it is to be spoken to in; gives the body that the vendor was
 * sent, and what the caller was told of losses
 */
export async function startVendor(providersOf: (places: Places) => string) {
  const vendor = await startFakeProvider();
  const only = (models: string) => `base_url: "${vendor.url}", api_key: a-key, only: [${models}]`;
  const headgate = await startHeadgate({ config: `providers:\n${providersOf({ url: vendor.url, only })}` });
  after(async () => {
    await headgate[Symbol.asyncDispose]();
    await vendor.close();
  });
  return async (surface: RecordedDialect, spoken: RecordedDialect, body: object) => {
    vendor.forget();
    vendor.plan(scripted(spoken, [{ text: 'Fine.', usage: { input: 5, output: 2 } }]));
    const { status, text, headers } = await ask(`${headgate.url}${PATHS[surface]}`, { key: headgate.key, body });
    assert.equal(status, 200, text);
    return { json: vendor.requests.at(-1)!.json as object, dropped: headers.get('service-dropped') };
  };
}
