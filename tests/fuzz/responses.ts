import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { parseArgs } from 'node:util';
import { seeded } from '../../src/testing/seeded.ts';
import { MalformedAnswer } from '../../src/upstream/http1/malformed.ts';
import { Http1ResponseReader } from '../../src/upstream/http1/reader.ts';
import { cutUp, mutated } from './responses-mutate.ts';

/**
 * Shows mutated answers to our reader and to Node's own HTTP client. What ours takes, Node must take too, with the same
 * status and the same body. That ours refuses more is its purpose.
 *
 * `node tests/fuzz/responses.ts --count 200000 [--seed 1]` prints how often they agreed; each case has a seed of its own.
 */

/** An answer that was complete, or `null` for one that was refused or cut. */
export type Outcome = { status: number; body: string } | null;

export type Counts = { bothAccepted: number; bothRefused: number; oursStricter: number };

/** As many as Node takes. */
const MAX_HEAD = 16 * 1024;
const SHARED = Buffer.alloc(64 * 1024);

/** Runs seeds `first` and on. Throws at the first case that ours takes and Node does not, or takes otherwise. */
export async function fuzz(first: number, count: number): Promise<Counts> {
  const counts: Counts = { bothAccepted: 0, bothRefused: 0, oursStricter: 0 };
  for (let seed = first; seed < first + count; seed += 1) {
    const random = seeded(seed);
    const bytes = mutated(random);
    const pieces = cutUp(bytes, random);
    const own = readOurs([bytes]);
    if (!same(own, readOurs(pieces)))
      throw disagreement(seed, bytes, own, { outcome: readOurs(pieces), who: 'ours, cut up' });
    const node = await readNode(pieces);
    if (own !== null && !same(own, node)) throw disagreement(seed, bytes, own, { outcome: node, who: 'node' });
    if (own !== null) counts.bothAccepted += 1;
    else if (node === null) counts.bothRefused += 1;
    else counts.oursStricter += 1;
  }
  return counts;
}

/** What our reader makes of an answer in these pieces, behind which the connection ends. */
export function readOurs(pieces: readonly Buffer[]): Outcome {
  let status = 0;
  let body = '';
  let complete = false;
  const reader = new Http1ResponseReader(
    {
      onHead: (read) => {
        status = read;
      },
      onBody: (bytes, from, to) => {
        body += bytes.toString('latin1', from, to);
      },
      onComplete: () => {
        complete = true;
      },
    },
    MAX_HEAD,
  );
  reader.begin();
  try {
    for (const piece of pieces) {
      if (complete) break;
      SHARED.set(piece);
      reader.push(SHARED, piece.length);
    }
    if (!complete) reader.end();
  } catch (error) {
    if (error instanceof MalformedAnswer) return null;
    throw error;
  }
  return complete ? { status, body } : null;
}

/** What Node's client makes of it. */
export function readNode(pieces: readonly Buffer[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => done() });
    let status = 0;
    let body = '';
    let complete = () => false;
    const call = request({ method: 'POST', path: '/', createConnection: () => socket });
    call.on('error', () => undefined);
    call.on('response', (response) => {
      status = response.statusCode ?? 0;
      complete = () => response.complete;
      response.on('error', () => undefined);
      response.on('data', (bytes: Buffer) => {
        body += bytes.toString('latin1');
      });
    });
    // A change of protocols that nobody asked for is refused by whoever sees it.
    call.on('upgrade', () => socket.destroy());
    call.on('close', () => resolve(complete() ? { status, body } : null));
    call.end('{}', () => {
      for (const piece of pieces) if (piece.length > 0) socket.push(piece);
      socket.push(null);
    });
  });
}

function same(one: Outcome, other: Outcome): boolean {
  if (one === null || other === null) return one === other;
  return one.status === other.status && one.body === other.body;
}

function disagreement(seed: number, bytes: Buffer, own: Outcome, other: { outcome: Outcome; who: string }): Error {
  const shown = [bytes.toString('latin1'), own, other.outcome].map((each) => JSON.stringify(each));
  return new Error(`seed ${seed}: ${shown[0]}\nours: ${shown[1]}\n${other.who}: ${shown[2]}`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
  });
  const { bothAccepted, bothRefused, oursStricter } = await fuzz(Number(values.seed), Number(values.count));
  console.log(`both accepted ${bothAccepted}, both refused ${bothRefused}, ours stricter ${oursStricter}`);
}
