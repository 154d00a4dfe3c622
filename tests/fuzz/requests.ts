import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LayerUnderTest, startLayer, type Told } from './layers.ts';
import { type Case, makeCase } from './requests-made.ts';

/** How often which became of the cases. A case in which both layers refuse the first request counts as that. */
export type Counts = { cases: number; hot: number; handedOver: number; refused: number };

/** Two layers that treat a case differently. */
export class Difference extends Error {
  constructor({ seed, pieces }: Case, fast: Told, node: Told) {
    const bytes = pieces.map((piece) => JSON.stringify(piece.toString('latin1'))).join('\n  ');
    super(`seed ${seed}:\n  ${bytes}\nfast: ${JSON.stringify(fast)}\nnode: ${JSON.stringify(node)}`);
  }
}

/** Sends cases to both layers; the first that they treat differently is thrown. */
export async function compareLayers(firstSeed: number, count: number): Promise<Counts> {
  const [fast, node] = [await startLayer('fast'), await startLayer('node')];
  const counts: Counts = { cases: 0, hot: 0, handedOver: 0, refused: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const { hot, taken } = await compare(makeCase(seed), fast, node);
    counts.cases += 1;
    if (hot > 0) counts.hot += 1;
    else if (taken.length > 0) counts.handedOver += 1;
    else counts.refused += 1;
  }
  return counts;
}

async function compare(sent: Case, fast: LayerUnderTest, node: LayerUnderTest): Promise<Told> {
  const ours = await fast.send(sent.pieces);
  const theirs = await node.send(sent.pieces);
  const same = requestsIn(ours) === requestsIn(theirs) && plain(ours.answers) === plain(theirs.answers);
  if (!same) throw new Difference(sent, ours, theirs);
  return ours;
}

/** What routes were given. Node begins a pipelined request before the one ahead of it is answered, so the order may differ. */
function requestsIn({ taken }: Told): string {
  return taken
    .map((request) => JSON.stringify(request))
    .sort()
    .join('\n');
}

/** Answers without what is of the moment, and streams without how they were cut. */
function plain(answers: string): string {
  let text = '';
  for (let at = 0; at < answers.length; ) {
    const bodyAt = answers.indexOf('\r\n\r\n', at) + 4;
    if (bodyAt < 4) return text + answers.slice(at);
    const head = answers.slice(at, bodyAt).replace(/^date: .*$/im, 'date');
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    const { body, end } = /^transfer-encoding:/im.test(head)
      ? unchunked(answers, bodyAt)
      : { body: answers.slice(bodyAt, bodyAt + length), end: bodyAt + length };
    text += head + body;
    at = end;
  }
  return text;
}

function unchunked(text: string, from: number): { body: string; end: number } {
  let body = '';
  for (let at = from; ; ) {
    const sizeEnd = text.indexOf('\r\n', at);
    const size = Number.parseInt(text.slice(at, sizeEnd), 16);
    if (sizeEnd < 0 || !(size > 0)) return { body, end: sizeEnd < 0 ? text.length : sizeEnd + 4 };
    body += text.slice(sizeEnd + 2, sizeEnd + 2 + size);
    at = sizeEnd + 2 + size + 2;
  }
}

/** `node tests/fuzz/requests.ts --count 200000 [--seed 1]` */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '200000' }, seed: { type: 'string', default: '1' } },
  });
  const startedAt = performance.now();
  const counts = await compareLayers(Number(values.seed), Number(values.count));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(
    `${counts.cases} cases in ${seconds} s, none treated differently: ${counts.hot} hot, ` +
      `${counts.handedOver} handed over and served, ${counts.refused} refused by both.`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
