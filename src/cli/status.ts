import { DEFAULT_CREDENTIAL } from '../core/provider.ts';
import { askGateway, GATEWAY_OPTIONS } from './ask.ts';
import type { Command, CommandCall } from './command.ts';
import { countText, durationText, timeText } from './phrases.ts';
import { gatewayFacts } from './process.ts';
import { type Column, table } from './table.ts';

/** The answer of `GET /v1/status`. */
type Status = {
  process: ProcessStatus;
  providers?: readonly ShownProvider[];
  outgoing_rates?: readonly ShownRate[];
  unpriced?: readonly { sentence: string }[];
  targets: readonly ShownTarget[];
};

type ProcessStatus = {
  version: string;
  uptime_seconds: number;
  open_calls: number;
  workers: number;
  silent_workers: number;
};

/** Older gateways send no names of credentials. */
type ShownProvider = { provider: string; list: string; refused_credentials?: readonly string[] };

type ShownRate = { provider: string; credential: string | null; model: string | null; full_until: number | null };

type ShownTarget = {
  provider: string;
  model: string;
  credential: string;
  circuit: string;
  open_until: number | null;
  credential_out_until: number | null;
  p50_ms: number | null;
  p95_ms: number | null;
  whole_p50_ms: number | null;
  whole_p95_ms: number | null;
  error_rate: number | null;
  recent_calls: number;
  in_flight: number;
  last_error: { kind: string; status: number; message: string; at: number } | null;
};

export const status: Command = {
  name: 'status',
  about: 'Show the health of each target of a running gateway: circuit, times, errors.',
  details: [
    'Asks the gateway on this data, or with --url or --key another one, which needs an administrator’s key. FIRST is the time',
    'to the first token of streams, WHOLE the time of answers that are not streamed, each as “median / 95th percentile”',
    'in ms. ERRORS is the share of failed CALLS in the last half minute (`breaker.window`).',
  ].join('\n'),
  options: GATEWAY_OPTIONS,
  examples: ['headgate status', 'headgate status --url https://headgate.example.com --json'],
  async run(call) {
    const { address, json } = (await askLive(call)) ?? (await askGateway(call, { method: 'GET', path: '/status' }));
    const told = json as Status;
    // Missing in answers of older gateways.
    const { targets, providers = [], outgoing_rates: rates = [], unpriced = [] } = told;
    const none = 'No target was called yet, and no route has one.';
    return {
      text: `${processText(told.process, address)}\n\n${targets.length === 0 ? none : table(COLUMNS, targets)}`,
      json,
      notes: [
        ...providers.flatMap(refusedText),
        ...rates.flatMap(fullText),
        ...unpriced.map(({ sentence }) => sentence),
      ],
    };
  },
};

function refusedText({ provider, list, refused_credentials: refused = [] }: ShownProvider): string[] {
  const isOnly = refused.every((name) => name === DEFAULT_CREDENTIAL);
  if (isOnly) return list === 'key_refused' ? [`${provider} refuses its key, so its models cannot be called.`] : [];
  const keys = refused.length === 1 ? 'key' : 'keys';
  return [`${provider} refuses its ${keys} ${refused.join(', ')}. Calls use its other keys, if it has any.`];
}

function fullText({ provider, credential, model, full_until: until }: ShownRate): string[] {
  if (until === null) return [];
  const whose = model === null ? (credential === null ? '' : `The key ${credential} of `) : `${model} of `;
  return [`${whose}${provider} has reached its rate limit until ${clockText(until)}. Calls use other targets.`];
}

/** The gateway on this data, which answers its owner without a key; `null` if another is meant or none runs. */
async function askLive({ values, api }: CommandCall): Promise<{ address: string; json: unknown } | null> {
  if (values.url !== undefined || values.key !== undefined) return null;
  const json = await api.ofGateway<object>('GET', '/v1/status');
  if (json === null) return null;
  const facts = await gatewayFacts(api);
  return facts && { address: facts.address, json };
}

const COLUMNS: readonly Column<ShownTarget>[] = [
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'MODEL', of: ({ model }) => model },
  { title: 'CREDENTIAL', of: ({ credential }) => credential },
  { title: 'CIRCUIT', of: circuitText },
  { title: 'FIRST', of: ({ p50_ms, p95_ms }) => timesText(p50_ms, p95_ms), align: 'right' },
  { title: 'WHOLE', of: ({ whole_p50_ms, whole_p95_ms }) => timesText(whole_p50_ms, whole_p95_ms), align: 'right' },
  { title: 'CALLS', of: ({ recent_calls }) => `${recent_calls}`, align: 'right' },
  { title: 'ERRORS', of: ({ error_rate }) => percentText(error_rate), align: 'right' },
  { title: 'IN FLIGHT', of: ({ in_flight }) => `${in_flight}`, align: 'right' },
  { title: 'LAST ERROR (UTC)', of: ({ last_error }) => errorText(last_error) },
];

function processText(process: ProcessStatus, address: string): string {
  const { version, uptime_seconds, open_calls, workers, silent_workers } = process;
  const silent = silent_workers === 0 ? '' : `, of which ${silent_workers} did not answer`;
  return [
    `Headgate ${version} at ${address}, up ${durationText(uptime_seconds)}`,
    countText(open_calls, 'open call'),
    `${countText(workers, 'worker')}${silent}`,
  ].join('; ');
}

function circuitText({ circuit, open_until, credential_out_until }: ShownTarget): string {
  if (credential_out_until !== null) return `credential out until ${clockText(credential_out_until)}`;
  const words = circuit.replace('_', ' ');
  return open_until === null ? words : `${words} until ${clockText(open_until)}`;
}

function timesText(median: number | null, most: number | null): string {
  return median === null || most === null ? '-' : `${Math.round(median)} / ${Math.round(most)}`;
}

function percentText(part: number | null): string {
  return part === null ? '-' : `${Math.round(part * 100)} %`;
}

function errorText(error: ShownTarget['last_error']): string {
  return error === null ? '-' : `${timeText(error.at * 1000)} ${error.kind}: ${error.message}`;
}

/** `12:02:59`, in UTC. */
function clockText(seconds: number): string {
  return timeText(seconds * 1000).slice(11);
}
