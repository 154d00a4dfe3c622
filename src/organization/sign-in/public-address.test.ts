import assert from 'node:assert/strict';
import { test } from 'node:test';
import { publicAddressOf } from './public-address.ts';

test('browsers find a gateway at localhost, at the address that was set, or nowhere', () => {
  const here = { origin: 'http://localhost:8080', host: 'localhost' };
  for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost'])
    assert.deepEqual(publicAddressOf({ host, publicUrl: null }, 8080), here, host);
  assert.equal(
    publicAddressOf({ host: '127.0.0.1', publicUrl: null }, 80)?.origin,
    'http://localhost',
    'as browsers say it',
  );
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'gate.example.com', '127.0.0.1.example.com'])
    assert.equal(publicAddressOf({ host, publicUrl: null }, 8080), null, host);
  assert.deepEqual(publicAddressOf({ host: '0.0.0.0', publicUrl: 'https://gate.example.com:8443' }, 8080), {
    origin: 'https://gate.example.com:8443',
    host: 'gate.example.com',
  });
});
