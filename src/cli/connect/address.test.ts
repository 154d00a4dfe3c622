import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../failure.ts';
import { addressOf, isLocal } from './address.ts';

const SERVER = { host: '127.0.0.1', port: 8080 };

test('the address is the configuration’s, as it can be called', () => {
  const hosts = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]', 'gate.lan': 'gate.lan' };
  for (const [host, called] of Object.entries(hosts)) {
    assert.equal(addressOf(undefined, { host, port: 9000 }), `http://${called}:9000`);
  }
});

test('--url wins, with or without /v1', () => {
  for (const given of ['https://a.example', 'https://a.example/', 'https://a.example/v1', 'https://a.example/v1/']) {
    assert.equal(addressOf(given, { ...SERVER, port: 0 }), 'https://a.example');
  }
  assert.equal(addressOf('https://a.example/gate/v1', SERVER), 'https://a.example/gate');
});

test('what is no address is refused, and so is a port that nobody knows', () => {
  for (const given of ['', 'a.example', 'ftp://a.example', 'https://a.example?x=1', 'https://me:secret@a.example']) {
    assert.throws(() => addressOf(given, SERVER), UsageError);
  }
  assert.throws(() => addressOf(undefined, { ...SERVER, port: 0 }), /--url/);
});

test('an address of this machine is told from others', () => {
  for (const address of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1']) assert.ok(isLocal(address));
  for (const address of ['https://a.example', 'http://10.0.0.1']) assert.ok(!isLocal(address));
});
