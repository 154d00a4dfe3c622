import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactAddresses, redactAddressesIn } from './address-redaction.ts';

const SHOWN: Readonly<Record<string, string>> = {
  'https://models.example/api.json': 'https://models.example/api.json',
  'http://127.0.0.1:8080/v1': 'http://127.0.0.1:8080/v1',
  'https://ada:hunter2@models.example/api.json': 'https://***@models.example/api.json',
  'https://ada@models.example': 'https://***@models.example',
  'https://:hunter2@models.example:8443/': 'https://***@models.example:8443/',
  'https://a:p@ss@models.example/x': 'https://***@models.example/x',
  'HTTPS://ada:hunter2@models.example': 'HTTPS://***@models.example',
  'https://models.example/api.json?key=hunter2': 'https://models.example/api.json?key=***',
  'https://models.example?api_key=hunter2&token=x&v=1': 'https://models.example?api_key=***&token=***&v=***',
  'https://models.example/?X-Amz-Signature=ab%20c;sig=d': 'https://models.example/?X-Amz-Signature=***;sig=***',
  'https://models.example/?hunter2': 'https://models.example/?***',
  'https://models.example/#access_token=hunter2': 'https://models.example/#access_token=***',
  'https://models.example/docs#prices': 'https://models.example/docs#prices',
  'https://${USER}:${PASSWORD}@models.example/?key=${KEY}': 'https://***@models.example/?key=***',
  'smtp://ada:hunter2@mail.example:587': 'smtp://***@mail.example:587',
  'ada@example.com asked for a/b?c=d': 'ada@example.com asked for a/b?c=d',
};

test('of an address neither user name, password nor a value of its query is shown', () => {
  for (const [address, shown] of Object.entries(SHOWN)) {
    assert.equal(redactAddresses(address), shown);
    assert.equal(
      redactAddresses(`“${address}” could not be read (${address} )`),
      `“${shown}” could not be read (${shown} )`,
    );
    assert.equal(redactAddresses(shown), shown, 'once is enough');
  }
});

test('the same holds within values', () => {
  const value = { source: 'https://a:b@c/?d=e', list: ['https://c/?d'], count: 1, nothing: null };
  const shown = { source: 'https://***@c/?d=***', list: ['https://c/?***'], count: 1, nothing: null };
  assert.deepEqual(redactAddressesIn(value), shown);
});
