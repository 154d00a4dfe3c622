import type { SettingsStore } from '../core/settings-store.ts';

/** What is asked of settings one by one. */
type AskedOneByOne = Pick<SettingsStore, 'find' | 'all' | 'key' | 'keysOfIds'>;

/** Questions that one look answers together: each names a value, and is told what belongs to it. */
class Gathering<Found> {
  readonly #ask: (values: string[]) => Promise<Map<string, Found>>;
  readonly #asked = new Map<string, Promise<Found | undefined>>();
  #waiting: { values: string[]; found: Promise<Map<string, Found>> } | null = null;

  constructor(ask: (values: string[]) => Promise<Map<string, Found>>) {
    this.#ask = ask;
  }

  of(value: string): Promise<Found | undefined> {
    let asked = this.#asked.get(value);
    if (asked === undefined) {
      asked = this.#soon(value).then((found) => found.get(value));
      this.#asked.set(value, asked);
    }
    return asked;
  }

  #soon(value: string): Promise<Map<string, Found>> {
    if (this.#waiting === null) {
      const values: string[] = [];
      // Whatever else is asked for before the event loop goes on is asked for together.
      const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.#waiting = null;
        return this.#ask(values);
      });
      this.#waiting = { values, found };
    }
    this.#waiting.values.push(value);
    return this.#waiting.found;
  }
}

/**
 * The same settings, for who asks the same of many things at once: equal questions are asked once, and those that differ by an id alone
 * in one look. It goes by what it read first, so it is for one answer.
 */
export function gathered<Store extends AskedOneByOne>(settings: Store): Store {
  const gatherings = new Map<string, Gathering<unknown>>();
  function gather<Found>(name: string, ask: (values: string[]) => Promise<Map<string, Found>>): Gathering<Found> {
    const known = gatherings.get(name) ?? new Gathering<Found>(ask);
    gatherings.set(name, known as Gathering<unknown>);
    return known as Gathering<Found>;
  }

  const find: AskedOneByOne['find'] = async (organizationId, kind, id, parentId = null) => {
    const ofParent = gather(JSON.stringify(['find', organizationId, kind, parentId]), async (ids) => {
      const all = await settings.all(organizationId, kind, { parentId: parentId ?? '', ids });
      return new Map(all.map((each) => [each.id, each]));
    });
    return (await ofParent.of(id)) ?? null;
  };
  const all: AskedOneByOne['all'] = async (organizationId, kind, filter = {}) => {
    const [[by, value] = [], ...further] = Object.entries(filter);
    if ((by !== 'id' && by !== 'parentId') || further.length > 0) return settings.all(organizationId, kind, filter);
    const many = (values: string[]) => (by === 'id' ? { ids: values } : { parentIds: values });
    const nameOf = ({ id, parentId }: { id: string; parentId: string | null }) => (by === 'id' ? id : (parentId ?? ''));
    const gathering = gather(JSON.stringify(['all', organizationId, kind, by]), async (values) =>
      Map.groupBy(await settings.all(organizationId, kind, many(values)), nameOf),
    );
    return (await gathering.of(value as string)) ?? [];
  };
  const key: AskedOneByOne['key'] = async (organizationId, id) => {
    const keys = gather(JSON.stringify(['key', organizationId]), async (ids) => {
      const found = await settings.keysOfIds(organizationId, ids);
      return new Map(found.map((each) => [each.id, each]));
    });
    return (await keys.of(id)) ?? null;
  };
  return { ...settings, find, all, key };
}
