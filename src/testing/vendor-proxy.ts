import { connect, createServer, type Server, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** A proxy before a vendor that passes all bytes on, and gives access to the connections. */
export type VendorProxy = AsyncDisposable & {
  readonly port: number;
  /** The latest connection of a caller. */
  caller(): Socket;
};

/** Starts a proxy before a vendor on this machine. */
export async function startVendorProxy(vendorPort: number): Promise<VendorProxy> {
  const callers: Socket[] = [];
  const server: Server = createServer((caller) => {
    const vendor = connect(vendorPort, '127.0.0.1');
    callers.push(caller);
    caller.on('error', () => undefined);
    vendor.on('error', () => caller.resetAndDestroy());
    caller.on('data', (bytes) => vendor.write(bytes));
    vendor.on('data', (bytes) => caller.writable && caller.write(bytes));
    caller.on('close', () => vendor.destroy());
    vendor.on('end', () => caller.end());
  });
  return {
    port: await listen(server, 0),
    caller: () => callers.at(-1)!,
    async [Symbol.asyncDispose]() {
      for (const caller of callers) caller.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
