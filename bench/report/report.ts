import { FACTS, FRAME_GAP_MS, RATE_CONNECTIONS, type WORKLOADS } from '../workloads.ts';
import { latencyTable, memoryTable, startTable, tlsTable } from './other-tables.ts';
import { PARTS, type Part, type Results } from './samples.ts';
import { workTable } from './work-table.ts';

/** The whole report, in Markdown. */
export function report(results: Results): string {
  const { date, machine, node, rounds, seconds, contestants, notes } = results;
  return [
    '# Benchmark',
    `What a call costs by way of each contestant, on the same work in the same run. ${rounds} rounds of ${seconds} s, each in another
order; medians, with the smallest and the largest in brackets. Ratios are taken round by round. Made by \`npm run bench\`; the samples
are in \`latest.json\`.`,
    '![CPU of the gateway, as a multiple of nginx](latest.svg)',
    bullets([`date: ${date.slice(0, 16).replace('T', ' ')} UTC`, `machine: ${machine}`, `Node ${node}`]),
    `Contestants:\n\n${bullets(contestants.map(({ name, about }) => `**${name}**: ${about}`))}`,
    ...(notes.length === 0 ? [] : [`To be known:\n\n${bullets(notes)}`]),
    ...PARTS.map((part) => sectionOf(part, results)).filter((section) => section !== ''),
  ]
    .join('\n\n')
    .concat('\n');
}

function sectionOf(part: Part, results: Results): string {
  switch (part) {
    case 'chat':
    case 'agent':
    case 'routed':
    case 'stream':
    case 'translated':
    case 'embeddings':
      return workSection(part, results);
    case 'latency':
      return section('Latency', LATENCY_TEXT, latencyTable(results));
    case 'memory':
      return section('Memory', MEMORY_TEXT, memoryTable(results));
    case 'start':
      return section('Start', START_TEXT, startTable(results));
    case 'tls':
      return section('TLS to the vendor', TLS_TEXT, tlsTable(results));
    case 'scaling':
      return section('More workers', SCALING_TEXT, workTable(results, 'scaling', 'saturation'));
    default:
      return part satisfies never;
  }
}

function workSection(part: (typeof WORKLOADS)[number], results: Results): string {
  const { title, rate, connections } = FACTS[part];
  const work =
    'streams' in rate
      ? [
          `${rate.streams} streams at once, a frame each ${FRAME_GAP_MS.rate} ms`,
          `${connections} streams at once, a frame each ${FRAME_GAP_MS.saturation} ms`,
        ]
      : [
          `${rate.perSecond} requests a second on at most ${RATE_CONNECTIONS} connections`,
          `${connections} connections that ask again at once`,
        ];
  const tables = (['rate', 'saturation'] as const).map((pace, index) => {
    const table = workTable(results, part, pace);
    return table === ''
      ? ''
      : `### ${pace === 'rate' ? 'At a fixed rate' : 'At saturation'}: ${work[index]}\n\n${table}`;
  });
  const text = part === 'translated' ? TRANSLATED_TEXT : '';
  return section(
    `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
    text,
    tables.filter((each) => each !== '').join('\n\n'),
  );
}

/** Empty if the part was not run. */
function section(title: string, text: string, body: string): string {
  if (body === '') return '';
  return [`## ${title}`, text, body].filter((each) => each !== '').join('\n\n');
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

const TRANSLATED_TEXT = `Asked in chat of a model that speaks Anthropic's messages. Whoever cannot translate passes the untranslated stream, to be what
it is measured by.`;
const LATENCY_TEXT = `What each adds to the upstream alone, which is told first. At the fixed rate time counts from when a request was due, sent or not, so
that a stall is counted for all who wait behind it. One caller asks again once it is answered. The first word is that of
a stream.`;
const MEMORY_TEXT = `Of the process and its children, shared pages counted in shares (PSS). Each idle stream has brought its first words, and is
silent.`;
const START_TEXT = 'From the start of the process until a first call was answered.';
const TLS_TEXT = 'Small chats at saturation, to an upstream without TLS and to one with it, on kept connections.';
const SCALING_TEXT = 'Small chats at saturation; nothing is held to a core.';
