import type { DialectId } from '../core/provider.ts';
import type { PresetNames, ProviderConfig } from './config.ts';
import { providerName } from './names.ts';
import type { Path } from './problems.ts';
import { provider } from './provider-schema.ts';
import { ECHO, readRow } from './providers.ts';
import { explain, sentence } from './sentences.ts';

/** The source of prices in the settings. */
export const SETTINGS_SOURCE = 'settings';

/** Members of a file's provider that the settings do not allow: keys are stored elsewhere, the rest is the operator's. */
const OF_FILES = [
  'api_key',
  'api_keys',
  'headers',
  'max_concurrency',
  'queue',
  'requests_per_minute',
  'tokens_per_minute',
];

/** The presets and dialects for reading a provider's definition. */
export type Vendors = { presets: readonly PresetNames[]; built: readonly DialectId[] };

/** A fault of a definition: the member (`models.0.id`) or `''`, and a predicate without a full stop. */
export type DefinitionFault = { param: string; fault: string };

/**
 * Reads a stored definition of a provider. Nothing comes from the environment, and a reason that would turn a file's provider
 * off is a fault.
 *
 * @param credentials the names of its keys
 */
export function readStoredProvider(
  { presets, built }: Vendors,
  id: string,
  definition: Readonly<Record<string, unknown>>,
  credentials: readonly string[],
): ProviderConfig | DefinitionFault {
  const faults: DefinitionFault[] = [];
  const around = ['providers', id];
  const problem = (path: Path, message: string) =>
    void faults.push({ param: path.slice(around.length).join('.'), fault: message });
  if (!providerName.safeParse(id).success || id === ECHO) {
    const words =
      'must be a name of letters, digits, “.”, “_” and “-” (at most 64, one of them a letter), and not echo';
    return { param: 'id', fault: words };
  }
  const ofFile = OF_FILES.find((name) => Object.hasOwn(definition, name));
  if (ofFile !== undefined) return { param: ofFile, fault: 'can be set only for providers of the file' };
  const checked = provider.safeParse(definition, { error: sentence });
  if (!checked.success) {
    for (const { path, message } of explain(checked.error.issues, around)) problem(path, message);
    return faults[0]!;
  }
  const own = presets.map((preset) => ({ ...preset, keyEnv: [], baseUrlEnv: [] }));
  const ignore = () => undefined;
  const unset = { keys: new Map<string, string>(), providers: new Map<string, readonly string[]>() };
  const input = { env: {}, presets: own, built, problem, unset, notice: ignore, leaveOut: ignore };
  const row = readRow({ ...input, priceSource: SETTINGS_SOURCE }, id, checked.data, ({ needsKey }) => ({
    keys: [],
    off: needsKey && credentials.length === 0 ? 'it has no key' : null,
  })).provider;
  const [fault] = faults;
  return fault ?? { ...row, credentials };
}
