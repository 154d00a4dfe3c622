import { createRequire } from 'node:module';
import type { UpstreamHeaders } from '../src/core/ports.ts';
import { Http1ResponseReader } from '../src/upstream/http1/reader.ts';

/**
 * Compares reading a vendor's answer by our own parser with llhttp as WebAssembly, used as in undici. Both produce
 * status, headers by name and the body's bytes. Prints CPU microseconds per answer, and their ratio.
 */

type Tally = { status: number; names: number; bytes: number; answers: number };
type Parser = { name: string; run(pieces: readonly Buffer[]): void; tally: Tally };
/** The used part of WebAssembly, which only the types of browsers declare. */
type Wasm = {
  Module: new (bytes: Buffer) => object;
  Instance: new (module: object, imports: object) => { exports: Exports };
};
type Exports = {
  memory: { buffer: ArrayBuffer };
  llhttp_alloc(type: number): number;
  malloc(size: number): number;
  llhttp_execute(parser: number, at: number, length: number): number;
};

const RESPONSE = 2;
const ROUNDS = 9;
const ANSWERS = 40_000;

const FIELDS =
  'date: Sat, 21 Nov 2026 10:00:00 GMT\r\nx-request-id: req_0123456789abcdef\r\nopenai-processing-ms: 345\r\n' +
  'x-ratelimit-remaining-tokens: 149984\r\nserver: cloudflare\r\n';
const BODY = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', text: 'x'.repeat(240) }).slice(0, 300);
const WHOLE = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${FIELDS}content-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const STREAM_HEAD = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${FIELDS}transfer-encoding: chunked\r\n\r\n`,
);
const FRAME = `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [{ delta: { content: 'word' } }], fill: 'x'.repeat(120) })}\n\n`;
const CHUNK = Buffer.from(`${FRAME.length.toString(16)}\r\n${FRAME}\r\n`);
const LAST = Buffer.from('0\r\n\r\n');
const FRAMES = 20;

const WORKLOADS: Readonly<Record<string, readonly Buffer[]>> = {
  'whole answer of 300 bytes': [WHOLE],
  'stream of 20 frames, each a read': [STREAM_HEAD, ...Array<Buffer>(FRAMES).fill(CHUNK), LAST],
  'stream of 20 frames, ten a read': [
    STREAM_HEAD,
    ...Array<Buffer>(FRAMES / 10).fill(Buffer.concat(Array<Buffer>(10).fill(CHUNK))),
    LAST,
  ],
};

const parsers = [ours(), llhttp()];
for (const [name, pieces] of Object.entries(WORKLOADS)) {
  const micros = parsers.map(() => [] as number[]);
  for (let round = 0; round <= ROUNDS; round += 1) {
    parsers.forEach((parser, index) => {
      const took = time(() => parser.run(pieces));
      if (round > 0) micros[index]!.push(took);
    });
  }
  const [own = 0, theirs = 0] = micros.map(median);
  console.log(`${name}: own ${own.toFixed(2)} µs, llhttp ${theirs.toFixed(2)} µs, ratio ${(theirs / own).toFixed(2)}`);
}
const [mine, llhttps] = parsers.map(({ tally }) => JSON.stringify(tally));
if (mine !== llhttps) throw new Error(`They read different things: ${mine} and ${llhttps}.`);

function time(run: () => void): number {
  const before = process.cpuUsage();
  for (let count = 0; count < ANSWERS; count += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / ANSWERS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function emptyTally(): Tally {
  return { status: 0, names: 0, bytes: 0, answers: 0 };
}

function countHead(tally: Tally, status: number, headers: UpstreamHeaders): void {
  tally.status += status;
  tally.names += headers['content-type'] !== undefined && headers['x-request-id'] !== undefined ? 1 : 0;
}

/** Each piece is copied first, as after a read. */
function ours(): Parser {
  const tally = emptyTally();
  const shared = Buffer.alloc(64 * 1024);
  const reader = new Http1ResponseReader(
    {
      onHead: (status, headers) => countHead(tally, status, headers),
      onBody: (bytes, from, to) => {
        tally.bytes += bytes.subarray(from, to).length;
      },
      onComplete: () => {
        tally.answers += 1;
      },
    },
    32 * 1024,
  );
  return {
    name: 'own',
    tally,
    run(pieces) {
      reader.begin();
      for (const piece of pieces) {
        shared.set(piece);
        reader.push(shared, piece.length);
      }
    },
  };
}

function llhttp(): Parser {
  const tally = emptyTally();
  const wasm = createRequire(import.meta.url)('undici/lib/llhttp/llhttp_simd-wasm.js') as Buffer;
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  let piece: Buffer = Buffer.alloc(0);
  let base = 0;
  let fields: Buffer[] = [];
  const nothing = () => 0;
  const view = (at: number, length: number) => piece.subarray(at - base, at - base + length);
  const field = (_parser: number, at: number, length: number) => {
    fields.push(view(at, length));
    return 0;
  };
  const instance = new Instance(new Module(wasm), {
    env: {
      wasm_on_url: nothing,
      wasm_on_status: nothing,
      wasm_on_message_begin: () => {
        fields = [];
        return 0;
      },
      wasm_on_header_field: field,
      wasm_on_header_value: field,
      wasm_on_headers_complete: (_parser: number, status: number) => {
        const headers: Record<string, string> = {};
        for (let at = 0; at < fields.length; at += 2) {
          headers[fields[at]!.toString('latin1').toLowerCase()] = fields[at + 1]!.toString('latin1');
        }
        countHead(tally, status, headers);
        return 0;
      },
      wasm_on_body: (_parser: number, at: number, length: number) => {
        tally.bytes += view(at, length).length;
        return 0;
      },
      wasm_on_message_complete: () => {
        tally.answers += 1;
        return 0;
      },
    },
  });
  const { memory, llhttp_alloc, llhttp_execute, malloc } = instance.exports;
  const parser = llhttp_alloc(RESPONSE);
  base = malloc(64 * 1024);
  const room = new Uint8Array(memory.buffer, base, 64 * 1024);
  return {
    name: 'llhttp',
    tally,
    run(pieces) {
      for (const each of pieces) {
        piece = each;
        room.set(each);
        if (llhttp_execute(parser, base, each.length) !== 0) throw new Error('llhttp refused what is plain.');
      }
    },
  };
}
