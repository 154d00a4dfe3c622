import type { Provider, Quirks } from '../core/provider.ts';
import { PRESETS } from './presets.ts';
import { AZURE, BEDROCK, VERCEL } from './quirks.ts';
import { RESPONSES_TOO } from './spoken-dialects.ts';

/** What is known of a vendor by its address alone. `adds`: dialects that it speaks beside the usual ones. */
export type KnownHost = { quirks: Quirks; adds: Provider['speaks'] };

/** Vendors without a preset, or with an address for each region or customer, and the page that says so. */
export const HOSTS: readonly (KnownHost & { label: string; host: RegExp; source: string })[] = [
  {
    label: 'Azure OpenAI',
    host: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
    quirks: AZURE,
    adds: RESPONSES_TOO,
    source: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
  },
  {
    label: 'Amazon Bedrock',
    host: /^bedrock-(?:mantle\.[a-z\d-]+\.api\.aws|runtime\.[a-z\d-]+\.amazonaws\.com)$/,
    quirks: BEDROCK,
    adds: RESPONSES_TOO,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.html',
  },
  {
    label: 'Vercel AI Gateway',
    host: /^ai-gateway\.vercel\.sh$/,
    quirks: VERCEL,
    adds: [],
    source: 'https://vercel.com/docs/ai-gateway',
  },
];

/** What is known of the vendor at an address, for providers without a preset; `undefined` for any other. */
export function knownHost(address: string): KnownHost | undefined {
  const { hostname, protocol } = new URL(address);
  if (protocol !== 'https:') return undefined;
  const regional = HOSTS.find(({ host }) => host.test(hostname));
  if (regional !== undefined) return regional;
  const preset = PRESETS.find(({ baseUrl }) => baseUrl !== null && new URL(baseUrl).hostname === hostname);
  if (preset === undefined) return undefined;
  const quirks = preset.quirks ?? {};
  return { quirks, adds: quirks.thinksOrCalls === undefined ? [] : RESPONSES_TOO };
}
