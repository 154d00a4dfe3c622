import {
  type Authorization,
  type Concurrency,
  DEFAULT_CREDENTIAL,
  type DialectId,
  type OutgoingRate,
  type Provider,
  type SharedIds,
} from '../core/provider.ts';
import type { Quirks } from '../core/quirks.ts';
import type { Secret } from '../core/secret.ts';
import { knownHost } from './hosts.ts';
import { SERVER_PAGES } from './local-presets.ts';
import type { Preset } from './preset.ts';
import { PRESETS } from './presets.ts';
import { ANTHROPIC } from './quirks.ts';
import { CHAT_AND_EMBEDDINGS, USUAL } from './spoken-dialects.ts';
import { EVERYWHERE } from './thinking.ts';

/** The operator's settings of a provider. `null`: the preset's value. */
export type ProviderSettings = {
  id: string;
  /** `null`: an address without a preset. */
  preset: string | null;
  baseUrl: string | null;
  label: string | null;
  dialects: readonly DialectId[] | null;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  region: string | null;
  sharedIds?: SharedIds;
  /** True if it keeps threads of messages, as Anthropic does. Default: `ownFormatOf`. */
  messageThreads?: boolean;
  concurrency: Concurrency | null;
  rate?: OutgoingRate;
  publicOnly?: boolean;
};

/** What the configuration's reader needs of a preset. */
export type PresetName = {
  id: string;
  alsoCalled: readonly string[];
  keyEnv: readonly string[];
  needsKey: boolean;
  needsBaseUrl: boolean;
  baseUrlEnv: readonly string[];
};

const BEARER: Authorization = { header: 'authorization', prefix: 'Bearer ' };

const BY_ID: ReadonlyMap<string, Preset> = new Map(PRESETS.map((preset) => [preset.id, preset]));

/** The preset with this id. */
export function presetOf(id: string): Preset | undefined {
  return BY_ID.get(id);
}

/**
 * The models that a provider serves only in responses. For an address without a preset, the operator's dialects take
 * precedence.
 */
export function onlyAsResponses({
  preset,
  baseUrl,
  dialects,
}: Pick<ProviderSettings, 'preset' | 'baseUrl' | 'dialects'>): RegExp | undefined {
  if (preset !== null) return presetOf(preset)?.onlyAsResponses?.models;
  return baseUrl === null || dialects !== null ? undefined : knownHost(baseUrl)?.onlyAsResponses?.models;
}

/** All presets in order, for the configuration's reader. */
export function presetNames(): PresetName[] {
  return PRESETS.map(({ id, alsoCalled, keyEnv, needsKey, baseUrl, baseUrlEnv }) => ({
    id,
    alsoCalled: alsoCalled ?? [],
    keyEnv,
    needsKey: needsKey ?? true,
    needsBaseUrl: baseUrl === null,
    baseUrlEnv: baseUrlEnv ?? [],
  }));
}

/**
 * Combines a preset, the operator's settings and a credential to a provider. Addresses may have `/v1` or not; trailing
 * slashes are removed. A dialect without a known path is left out. Throws an `Error` if there is no address or no such
 * preset, which the configuration's reader refuses before.
 */
export function resolveProvider(
  settings: ProviderSettings,
  credential: Secret | null,
  credentialName: string = DEFAULT_CREDENTIAL,
): Provider {
  const preset = settings.preset === null ? undefined : BY_ID.get(settings.preset);
  if (settings.preset !== null && preset === undefined) throw new Error(`There is no preset '${settings.preset}'.`);
  const known = preset === undefined && settings.baseUrl !== null ? knownHost(settings.baseUrl) : undefined;
  const row = preset?.speaks ?? [...CHAT_AND_EMBEDDINGS, ...(known?.adds ?? [])];
  const speaks = speaksOf(settings.dialects, row);
  const quirks = preset?.quirks ?? known?.quirks ?? ownQuirks(preset, speaks);
  // A server without a preset may be any of those with pages on what they have loaded.
  const pages = preset === undefined && known === undefined ? SERVER_PAGES : preset?.factsLists;
  return {
    id: settings.id,
    label: settings.label ?? preset?.label ?? settings.id,
    baseUrl: baseUrlOf(settings, preset, speaks),
    speaks,
    credential,
    credentialName,
    authorization: preset?.authorization ?? BEARER,
    headers: settings.headers,
    quirks: {
      ...quirks,
      thinking: [...(quirks?.thinking ?? []), ...EVERYWHERE],
      ownFormat: settings.messageThreads ?? ownFormatOf(preset),
    },
    region: settings.region,
    ...(settings.sharedIds !== undefined && { sharedIds: settings.sharedIds }),
    concurrency: settings.concurrency,
    ...(settings.rate !== undefined && { rate: settings.rate }),
    ...(preset?.modelsPath !== undefined && { modelsPath: preset.modelsPath }),
    ...(pages !== undefined && { factsLists: pages }),
    ...(settings.publicOnly === true && { publicOnly: true }),
    transport: 'http',
  };
}

/** A provider that only has messages follows Anthropic's rules. */
function ownQuirks(preset: Preset | undefined, speaks: Provider['speaks']): Quirks | undefined {
  const isLike = preset === undefined && speaks.every(({ dialect }) => dialect === 'anthropic-messages');
  return isLike ? ANTHROPIC : undefined;
}

/** A provider without a preset is assumed to be Anthropic if it speaks messages: most such addresses lead there. */
function ownFormatOf(preset: Preset | undefined): boolean {
  return preset === undefined || preset.quirks?.ownFormat === true;
}

/** The headers of every request in this dialect to a provider: names and values alternate. */
export function vendorHeaders({ credential, headers, speaks, ...provider }: Provider, dialect: DialectId): string[] {
  const own = Object.entries(headers).flat();
  if (credential === null) return own;
  const authorization = speaks.find((spoken) => spoken.dialect === dialect)?.authorization ?? provider.authorization;
  return [authorization.header, `${authorization.prefix}${credential.reveal()}`, ...own];
}

function baseUrlOf(settings: ProviderSettings, preset: Preset | undefined, speaks: Provider['speaks']): string {
  const own = preset?.baseUrl ?? null;
  const given = settings.baseUrl === null ? null : (preset?.completeBaseUrl?.(settings.baseUrl) ?? settings.baseUrl);
  const address = (given ?? own)?.replace(/\/+$/, '');
  if (address === undefined) throw new Error(`Provider '${settings.id}' has no address.`);
  const hasNoVersion = given !== null && !isVersioned(address, speaks) && (own === null || isVersioned(own, speaks));
  return hasNoVersion ? `${address}/v1` : address;
}

/**
 * True if an address includes the version. OpenAI's clients expect `/v1` or more in it (`/openai/v1`, `/api/paas/v4`);
 * Anthropic's expect an address without version, even with a path (`/anthropic`).
 */
function isVersioned(address: string, speaks: Provider['speaks']): boolean {
  const { pathname } = new URL(address);
  if (pathname === '/') return false;
  return speaks.some(({ dialect }) => dialect !== 'anthropic-messages') || /\/v\d+[a-z0-9]*$/.test(pathname);
}

/** The operator's dialects at the preset's paths, or else at the usual ones. */
function speaksOf(dialects: readonly DialectId[] | null, row: Provider['speaks']): Provider['speaks'] {
  if (dialects === null) return row;
  const known = [...row, ...USUAL];
  return dialects.flatMap((dialect) => known.find((spoken) => spoken.dialect === dialect) ?? []);
}
