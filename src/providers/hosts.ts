import type { Provider } from '../core/provider.ts';
import type { Quirks } from '../core/quirks.ts';
import type { ResponsesOnly } from './preset.ts';
import { ONLY_AS_RESPONSES, PRESETS } from './presets.ts';
import { AZURE, BEDROCK, VERCEL } from './quirks.ts';
import { RESPONSES_TOO } from './spoken-dialects.ts';

/** What is known of a vendor by its address alone. `adds`: dialects beside the usual ones. */
export type KnownHost = { quirks: Quirks; adds: Provider['speaks']; onlyAsResponses?: ResponsesOnly };

/** Vendors without a preset, or with an address per region or customer, and the page that documents it. */
export const HOSTS: readonly (KnownHost & { label: string; host: RegExp; source: string })[] = [
  {
    label: 'Azure OpenAI',
    host: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
    quirks: AZURE,
    adds: RESPONSES_TOO,
    onlyAsResponses: ONLY_AS_RESPONSES,
    source: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
  },
  {
    label: 'Amazon Bedrock Mantle',
    host: /^bedrock-mantle\.[a-z\d-]+\.api\.aws$/,
    quirks: BEDROCK,
    adds: RESPONSES_TOO,
    onlyAsResponses: {
      models: /(?:^|\.)openai\.gpt-5\.[456](?=$|[-.:])/,
      source:
        'https://github.com/aws-samples/sample-openai-on-aws/pull/48, https://github.com/BerriAI/litellm/issues/30941 and, of gpt-5.6, ' +
        'https://github.com/aws-samples/sample-spec-driven-presentation-maker/pull/202, read on 2026-11-27',
    },
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/models-api-compatibility.html',
  },
  {
    label: 'Amazon Bedrock',
    host: /^bedrock-runtime\.[a-z\d-]+\.amazonaws\.com$/,
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

/** The known facts of the vendor at an address, for providers without a preset; `undefined` for other addresses. */
export function knownHost(address: string): KnownHost | undefined {
  const { hostname, protocol } = new URL(address);
  if (protocol !== 'https:') return undefined;
  const regional = HOSTS.find(({ host }) => host.test(hostname));
  if (regional !== undefined) return regional;
  const preset = PRESETS.find(({ baseUrl }) => baseUrl !== null && new URL(baseUrl).hostname === hostname);
  if (preset === undefined) return undefined;
  const { quirks = {}, onlyAsResponses } = preset;
  const adds = quirks.thinksOrCalls === undefined ? [] : RESPONSES_TOO;
  return { quirks, adds, ...(onlyAsResponses !== undefined && { onlyAsResponses }) };
}
