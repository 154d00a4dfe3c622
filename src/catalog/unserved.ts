import { MODEL_NAME, undatedName, VENDOR_NAME } from '../core/model-name.ts';
import type { Preset } from '../providers/preset.ts';
import type { Catalog } from './catalog.ts';
import { catalogOf, type ProviderRow } from './model-list.ts';

/** A configured provider. `off`: why it is off, as the rest of a sentence; `null` if it is on. */
export type ConfiguredProvider = Pick<ProviderRow, 'id' | 'preset' | 'models' | 'only' | 'unknownModels'> & {
  off: string | null;
};

export type UnservedSources = {
  configured: readonly ConfiguredProvider[];
  /** All presets that a configuration can name, in their order. */
  presets: readonly Preset[];
  /** The name of the configuration file; `null` without one, when every preset with a key is on. */
  file: string | null;
  catalog: Catalog;
};

/** Explains in one sentence why a name leads to no model. */
export function whyUnserved(name: string, sources: UnservedSources): string {
  if (!MODEL_NAME.test(name)) return 'A model’s name has 1 to 256 characters of ASCII, none of them a space.';
  if (!VENDOR_NAME.test(name)) {
    return 'No vendor has a model of such a name: its parts between slashes are letters and digits, with `.`, `_`, `-`, `:`, `@`, `+`, `=`, `,` or `~` within.';
  }
  const { configured, presets, catalog } = sources;
  const prefix = name.slice(0, Math.max(0, name.indexOf('/')));
  const named = configured.find(({ id }) => id === prefix);
  if (named?.off === null) return whyNotAt(named);
  if (named !== undefined) return offSentence(named.id, named.off);
  const absent = presets.filter(({ id }) => !configured.some((each) => each.id === id));
  const preset = absent.find(({ id }) => id === prefix);
  if (preset !== undefined) return offSentence(preset.id, whyAbsent(preset, sources.file));
  const off = configured.find((row) => row.off !== null && has(row, name, catalog));
  if (off !== undefined) return offSentence(off.id, off.off);
  const having = absent.find(({ catalog: vendor }) => vendor !== null && isCatalogued(vendor, name, catalog));
  if (having !== undefined) return offSentence(having.id, whyAbsent(having, sources.file));
  const passes = configured.some((row) => row.off === null && row.only === null && row.unknownModels === 'pass');
  return `No provider that is on has it${passes ? '; name it as `provider/model` to send it anyway' : ''}.`;
}

function whyNotAt({ id, only }: ConfiguredProvider): string {
  if (only !== null) return `\`${id}\` is restricted to the models that are listed under its \`only\`.`;
  return `\`${id}\` does not list it, and is sent nothing else (\`unknown_models: refuse\`).`;
}

function offSentence(id: string, because: string | null): string {
  return `\`${id}\` is off: ${because}.`;
}

function whyAbsent({ keyEnv, needsKey }: Preset, file: string | null): string {
  if (file !== null) return `${file} does not name it`;
  return needsKey === false ? 'it was not found on this machine' : `${keyEnv[0]} is not set`;
}

function has({ preset, models, only }: ConfiguredProvider, name: string, catalog: Catalog): boolean {
  if ((only ?? models).some(({ id }) => id === name)) return true;
  const vendor = catalogOf({ preset });
  return only === null && vendor !== null && isCatalogued(vendor, name, catalog);
}

function isCatalogued(vendor: string, name: string, catalog: Catalog): boolean {
  const base = undatedName(name);
  return [name, ...(base === null ? [] : [base])].some((each) => catalog.lookup(vendor, each) !== undefined);
}
