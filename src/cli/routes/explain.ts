import { at, textOf } from '../api.ts';
import { askGateway, GATEWAY_OPTIONS } from '../ask.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf } from '../failure.ts';
import { readNamedFile } from '../named-file.ts';
import { type Column, table } from '../table.ts';

/** The answer of `POST /v1/routes/{id}/explain`. */
type ExplainedDecision = {
  route: string | null;
  route_version: string | null;
  order: readonly ExplainedTarget[];
  candidates: readonly ExplainedCandidate[];
  because: readonly string[];
  refusal: { status: number; message: string } | null;
  /** Missing in answers of older gateways. */
  unpriced?: readonly string[];
  features?: readonly { target: string; features: readonly { name: string; weight: number }[] }[];
};

type ExplainedTarget = { model: string; provider: string; upstream_model: string; credential?: string };

type ExplainedCandidate = ExplainedTarget & {
  role: string;
  left_out: { reason: string; detail: string } | null;
  expected_cost_usd: number | null;
  chance: number | null;
  health: { circuit: string };
};

export const routesExplain: Command = {
  name: 'routes explain',
  about: 'Ask a running gateway who would serve a call, and why. No provider is called.',
  details: [
    'FILE has the body of the call. Its type is determined by its members or by --surface. The command asks the gateway',
    'on this data, which needs no key, or another one with --url or --key, which shows the names of credentials only to',
    'administrators’ keys.',
  ].join('\n'),
  argument: { value: 'ID', about: 'A route or a vendor’s model.', required: true },
  options: {
    file: { value: 'FILE', about: 'The body of a call, in JSON.', required: true },
    surface: { value: 'SURFACE', about: 'Type of the call: chat, responses, messages or embeddings.' },
    ...GATEWAY_OPTIONS,
  },
  examples: ['headgate routes explain acme/fast --file request.json'],
  async run(call) {
    const { argument: id = '', values, api } = call;
    const { file = '', surface } = values;
    const path = `${at`/routes/${id}/explain`}${textOf({ surface })}`;
    const body = readNamedFile(file);
    // The gateway on this data answers its owner without a key.
    const isHere = values.url === undefined && values.key === undefined;
    const live = isHere ? api.ofGateway<ExplainedDecision>('POST', `/v1${path}`, body) : null;
    const json =
      (await inOptionsOf({ surface: '--surface' }, Promise.resolve(live))) ?? (await explainedBy(call, path, body));
    return { text: decisionText(json as ExplainedDecision), json };
  },
};

async function explainedBy(call: CommandCall, path: string, body: string): Promise<unknown> {
  return (await askGateway(call, { method: 'POST', path, body })).json;
}

function decisionText({
  because,
  refusal,
  order,
  candidates,
  unpriced = [],
  features = [],
}: ExplainedDecision): string {
  const asked = order.map(({ provider, upstream_model, credential }, index) =>
    [`${index + 1}. ${upstream_model} of ${provider}`, credential].filter((part) => part !== undefined).join(', '),
  );
  return [
    because.join('\n'),
    refusal === null ? `Order of targets\n${asked.join('\n')}` : `Refused with ${refusal.status}: ${refusal.message}`,
    ...(candidates.length === 0 ? [] : [table(COLUMNS, candidates)]),
    ...(unpriced.length === 0
      ? []
      : [`Without a price, which matters under a budget or spend limit: ${unpriced.join(', ')}`]),
    ...features.map(
      ({ target, features: told }) =>
        `Reasons for (+) and against (-) ${target}\n${told.map(({ name, weight }) => `${signed(weight)}  ${name}`).join('\n')}`,
    ),
  ].join('\n\n');
}

const COLUMNS: readonly Column<ExplainedCandidate>[] = [
  { title: 'CANDIDATE', of: ({ model }) => model },
  { title: 'PROVIDER', of: ({ provider }) => provider },
  { title: 'CREDENTIAL', of: ({ credential }) => credential ?? '-' },
  { title: 'ROLE', of: ({ role }) => role.replace('_', ' ') },
  {
    title: 'EXPECTED',
    of: ({ expected_cost_usd: cost }) => (cost === null ? '-' : `$${cost.toFixed(9)}`),
    align: 'right',
  },
  { title: 'CHANCE', of: ({ chance }) => chance?.toFixed(2) ?? '-', align: 'right' },
  { title: 'CIRCUIT', of: ({ health }) => health.circuit.replace('_', ' ') },
  { title: 'LEFT OUT', of: ({ left_out: reason }) => (reason === null ? '-' : reason.detail) },
];

function signed(weight: number): string {
  return `${weight < 0 ? '-' : '+'}${Math.abs(weight).toFixed(3)}`;
}
