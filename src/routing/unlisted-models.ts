import { undatedName, VENDOR_NAME } from '../core/model-name.ts';
import type { Served, VendorEntry } from '../core/provider.ts';

/** The most entries kept; older ones are made again on request. Invented names cannot fill the memory. */
const MAX_KEPT = 1000;
/** The longest name, in characters, that is looked at. */
const MAX_NAME = 256;

/** Models that no list contains: `provider/anything`, and dated names of models with a bare name. */
export class UnlistedModels {
  readonly #served: ReadonlyMap<string, Served>;
  readonly #bare: ReadonlyMap<string, VendorEntry>;
  /** By full name. */
  readonly #kept = new Map<string, VendorEntry>();

  constructor(served: readonly Served[], bare: ReadonlyMap<string, VendorEntry>) {
    this.#served = new Map(served.map((each) => [each.provider.id, each]));
    this.#bare = bare;
  }

  find(name: string): VendorEntry | undefined {
    const known = this.#kept.get(name);
    if (known !== undefined) return known;
    if (name.length > MAX_NAME || !VENDOR_NAME.test(name)) return undefined;
    const slash = name.indexOf('/');
    const served = slash < 1 ? undefined : this.#served.get(name.slice(0, slash));
    if (served !== undefined) return this.#make(served, name.slice(slash + 1));
    const base = undatedName(name);
    const entry = base === null ? undefined : this.#bare.get(base);
    const full = entry === undefined ? null : `${entry.provider.id}/${name}`;
    return full === null ? undefined : this.find(full);
  }

  #make(served: Served, id: string): VendorEntry | undefined {
    const { provider, accesses = [{ provider, weight: 1 }], modelNamed } = served;
    const model = id === '' ? null : (modelNamed?.(id) ?? null);
    if (model === null) return undefined;
    const name = `${provider.id}/${id}`;
    const entry: VendorEntry = { id: name, origin: 'vendor', provider, accesses, model, aliases: [] };
    if (this.#kept.size >= MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(name, entry);
    return entry;
  }
}
