import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import { test } from 'node:test';
import { readIntoShared } from './shared-reads.ts';

test('accepted sockets of this Node.js read into the shared buffer, and what is pushed is their data', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const reads: ArrayBufferLike[] = [];
  const isShared = readIntoShared(socket, (bytes) => {
    reads.push(bytes.buffer);
    return socket.push(Buffer.from(bytes));
  });
  assert.ok(isShared);
  for (const word of ['one', 'two']) {
    client.write(word);
    const [data] = (await once(socket, 'data')) as [Buffer];
    assert.equal(data.toString(), word);
  }
  assert.equal(reads[0], reads[1]);
  client.end();
  await once(socket, 'end');
  socket.destroy();
  server.close();
});

test('a socket that has no handle is left as it is', () => {
  assert.equal(
    readIntoShared(new Socket(), () => true),
    false,
  );
});
