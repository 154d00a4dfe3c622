/**
 * What becomes of a member of a wire format in a call or an answer for another format. Within its own format every
 * member passes.
 *
 * - `read`: the other formats have a word for it, or the gateway reads it itself.
 * - `native`: it is kept whole for its own format, and reported as a tool or a step that only its format has.
 * - `reported`: it is left out, and reported by its name.
 * - `silent`: it is left out without a report, because the caller loses nothing: progress, ids, repetitions of the request.
 * - `refused`: a call that has it is refused where the formats differ.
 * - `passes`: its format is never translated.
 */
export type Fate = 'read' | 'native' | 'reported' | 'silent' | 'refused' | 'passes';

/**
 * The members of an object. If an object has several kinds, which differ in `type` or `role`, `kinds` has a shape for
 * each, and `members` those of an object without a kind. `words` are the values of a text. A list has the shape of its
 * items.
 */
export type MemberShape = { members?: Entries; kinds?: Entries; words?: Entries };
export type Entries = ReadonlyMap<string, Fate | MemberShape>;

/** The members of what a dialect sends and receives. `count`: of calls that only count tokens. */
export type DialectMembers = {
  request: MemberShape;
  response: MemberShape;
  events?: MemberShape;
  errors?: MemberShape;
  count?: { response: MemberShape };
};

/** Entries by fate, as words with spaces between, and those that have a shape of their own. */
export function entries(
  fates: Partial<Record<Fate, string>>,
  shapes: Readonly<Record<string, MemberShape>> = {},
): Entries {
  const plain = Object.entries(fates).flatMap(([fate, names]) =>
    names.split(' ').map((name): [string, Fate] => [name, fate as Fate]),
  );
  return new Map<string, Fate | MemberShape>([...plain, ...Object.entries(shapes)]);
}

export function members(
  fates: Partial<Record<Fate, string>>,
  shapes: Readonly<Record<string, MemberShape>> = {},
): MemberShape {
  return { members: entries(fates, shapes) };
}

export function kinds(
  fates: Partial<Record<Fate, string>>,
  shapes: Readonly<Record<string, MemberShape>> = {},
): MemberShape {
  return { kinds: entries(fates, shapes) };
}

/** Whether a member of the outermost object is left out only because nothing reads it. */
export function isUnsupported({ members: known }: MemberShape, name: string): boolean {
  const entry = known?.get(name);
  return entry === undefined || entry === 'reported';
}

/** The fate of a kind; `undefined` if it is unknown. A kind with members of its own is read. */
export function fateOf({ kinds: known }: MemberShape, kind: string): Fate | undefined {
  const entry = known?.get(kind);
  return typeof entry === 'object' ? 'read' : entry;
}

/** The names of outermost members that are reported. */
export function reportedMembers({ members: known }: MemberShape): readonly string[] {
  return [...(known ?? [])].flatMap(([name, entry]) => (entry === 'reported' ? [name] : []));
}

/** Where names of lost members are collected, and whether members that no table knows count too. */
type LostOptions = { into?: Set<string>; unknown?: boolean };

/**
 * The names of what is inside `value`, is left out of other formats and must be reported: `path.member`, and `path.kind` of
 * objects that other formats have no place for. Each once, in the order first met.
 *
 * @param options `into`: the set to add them to; `unknown`: also members that no table knows, of objects of a known kind
 */
export function lostWithin(
  value: unknown,
  shape: MemberShape,
  path: string,
  { into: lost = new Set(), unknown = false }: LostOptions = {},
): ReadonlySet<string> {
  lookWithin(value, shape, path, { lost, unknown });
  return lost;
}

type Look = { lost: Set<string>; unknown: boolean };

function lookWithin(value: unknown, shape: MemberShape, path: string, look: Look): void {
  if (Array.isArray(value)) {
    for (const item of value) lookWithin(item, shape, path, look);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { kind, entry } = entryOf(value, shape);
  if (entry === 'reported') look.lost.add(below(path, kind));
  if (typeof entry !== 'object' || entry.members === undefined) return;
  const reportsUnknown = look.unknown && !isOfUnknownType(value, shape);
  for (const name of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[name];
    const each = entry.members.get(name);
    if (typeof each === 'object') lookWithin(inner, each, below(path, name), look);
    else if ((each === 'reported' || (each === undefined && reportsUnknown)) && isSet(inner)) {
      look.lost.add(below(path, name));
    }
  }
}

/** Whether an object has a type that no table knows. It is kept whole, or refused. */
function isOfUnknownType({ type }: { type?: unknown }, { kinds: known }: MemberShape): boolean {
  return typeof type === 'string' && known !== undefined && !known.has(type);
}

/** The table's entry for an object. One of an unknown kind, or without a kind, has the shape's own members. */
function entryOf(value: object, shape: MemberShape): { kind: string; entry: Fate | MemberShape } {
  const { type, role } = value as { type?: unknown; role?: unknown };
  const kind = typeof type === 'string' ? type : role;
  const entry = typeof kind === 'string' ? shape.kinds?.get(kind) : undefined;
  return { kind: String(kind), entry: entry ?? shape };
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Whether a member has more than its default. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}
