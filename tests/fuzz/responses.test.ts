import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz, readNode, readOurs } from './responses.ts';
import { CORPUS } from './responses-mutate.ts';

/** What our reader once took otherwise than Node. */
const FOUND = [
  'HTTP/1.1 103 Early Hints\r\nconnection: keep-alive, close\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\t\r\n\r\n1\r\nx\r\n0\r\n\r\n',
];

test('answers as vendors send them are taken, as Node takes them', async () => {
  for (const bytes of CORPUS) {
    const own = readOurs([bytes]);
    assert.notEqual(own, null, bytes.toString('latin1'));
    assert.deepEqual(own, await readNode([bytes]));
  }
});

test('of mutated answers none is taken that Node refuses, or read otherwise', async () => {
  const { bothAccepted, bothRefused } = await fuzz(1, 4000);
  // Else the mutations would show nothing.
  assert.ok(bothAccepted > 1000 && bothRefused > 1000, `${bothAccepted} and ${bothRefused}`);
});

test('what was once read otherwise is read as Node reads it, or refused', async () => {
  for (const text of FOUND) {
    const bytes = Buffer.from(text);
    const own = readOurs([bytes]);
    if (own !== null) assert.deepEqual(own, await readNode([bytes]));
  }
});
