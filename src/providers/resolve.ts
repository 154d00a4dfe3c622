import {
  type Authorization,
  type Concurrency,
  DEFAULT_CREDENTIAL,
  type DialectId,
  type OutgoingRate,
  type Provider,
  type Quirks,
  type SharedIds,
} from '../core/provider.ts';
import type { Secret } from '../core/secret.ts';
import { knownHost } from './hosts.ts';
import { SERVER_PAGES } from './local-presets.ts';
import type { Preset } from './preset.ts';
import { PRESETS } from './presets.ts';
import { ANTHROPIC } from './quirks.ts';
import { CHAT_AND_EMBEDDINGS, USUAL } from './spoken-dialects.ts';
import { EVERYWHERE } from './thinking.ts';

/** What an operator says of a provider. `null`: as the preset has it. */
export type ProviderSettings = {
  id: string;
  /** `null`: an address of the operator's own, without a preset. */
  preset: string | null;
  baseUrl: string | null;
  label: string | null;
  dialects: readonly DialectId[] | null;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  region: string | null;
  sharedIds?: SharedIds;
  /** Whether it keeps threads of messages, as Anthropic does; left out: as `ownFormatOf` says. */
  messageThreads?: boolean;
  concurrency: Concurrency | null;
  rate?: OutgoingRate;
  publicOnly?: boolean;
};

/** What reading a configuration needs to know of a preset. */
export type PresetName = {
  id: string;
  keyEnv: readonly string[];
  needsKey: boolean;
  needsBaseUrl: boolean;
  baseUrlEnv: readonly string[];
};

const BEARER: Authorization = { header: 'authorization', prefix: 'Bearer ' };

const BY_ID: ReadonlyMap<string, Preset> = new Map(PRESETS.map((preset) => [preset.id, preset]));

/** The row of this name. */
export function presetOf(id: string): Preset | undefined {
  return BY_ID.get(id);
}

/** Which models a provider serves as responses alone. Dialects that the operator chose for an address without a preset hold. */
export function onlyAsResponses({
  preset,
  baseUrl,
  dialects,
}: Pick<ProviderSettings, 'preset' | 'baseUrl' | 'dialects'>): RegExp | undefined {
  if (preset !== null) return presetOf(preset)?.onlyAsResponses?.models;
  return baseUrl === null || dialects !== null ? undefined : knownHost(baseUrl)?.onlyAsResponses?.models;
}

/** All presets in their order, as the reader of the configuration needs them. */
export function presetNames(): PresetName[] {
  return PRESETS.map(({ id, keyEnv, needsKey, baseUrl, baseUrlEnv }) => ({
    id,
    keyEnv,
    needsKey: needsKey ?? true,
    needsBaseUrl: baseUrl === null,
    baseUrlEnv: baseUrlEnv ?? [],
  }));
}

/**
 * The provider that a preset's row and the operator's settings make together, with one of its credentials. An address is taken as it is given, with
 * or without `/v1`, less its trailing slashes; a dialect that no path is known for is left out. Throws an `Error` where
 * neither names an address, or there is no such preset: the reader of the configuration refuses both before.
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
  // A server without a preset may be any of those that tell what they have loaded.
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

/** One that speaks messages alone is held to what Anthropic takes of them. */
function ownQuirks(preset: Preset | undefined, speaks: Provider['speaks']): Quirks | undefined {
  const isLike = preset === undefined && speaks.every(({ dialect }) => dialect === 'anthropic-messages');
  return isLike ? ANTHROPIC : undefined;
}

/** A provider of one's own, without a preset, is taken for what its dialect says: most that speak messages lead to Anthropic. */
function ownFormatOf(preset: Preset | undefined): boolean {
  return preset === undefined || preset.quirks?.ownFormat === true;
}

/** The headers that every request in this dialect to a provider carries: names and values alternate. */
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
 * Whether an address goes as far as its dialects' paths. OpenAI's clients are given it with `/v1` and may be given more
 * (`/openai/v1`, `/api/paas/v4`); Anthropic's are given it without, also behind a path (`/anthropic`).
 */
function isVersioned(address: string, speaks: Provider['speaks']): boolean {
  const { pathname } = new URL(address);
  if (pathname === '/') return false;
  return speaks.some(({ dialect }) => dialect !== 'anthropic-messages') || /\/v\d+[a-z0-9]*$/.test(pathname);
}

/** The operator's choice of dialects, at the paths the row has for them, else at the usual ones. */
function speaksOf(dialects: readonly DialectId[] | null, row: Provider['speaks']): Provider['speaks'] {
  if (dialects === null) return row;
  const known = [...row, ...USUAL];
  return dialects.flatMap((dialect) => known.find((spoken) => spoken.dialect === dialect) ?? []);
}
