import type { Quirks, SchemaForm, ToolRules } from '../core/quirks.ts';

/** Forms that a vendor is assumed to refuse in a translated call, unless its row says otherwise. */
export const USUALLY_REFUSED: readonly SchemaForm[] = [
  'no-properties',
  'root-union',
  'pattern',
  'boolean',
  'old-draft',
];
const AT_ROOT: ReadonlySet<SchemaForm> = new Set(['no-properties', 'empty', 'root-union', 'property-names', 'pattern']);

/** The forms of schemas that a vendor is known to refuse. */
export type KnownForms = {
  all: ReadonlySet<SchemaForm>;
  noProperties: boolean;
  rootUnion: boolean;
  propertyNames: boolean;
  empty: boolean;
  pattern: boolean;
  /** Any of those at the root. */
  root: boolean;
  /** Any that the whole schema must be read for. */
  deep: boolean;
};

/** The forms of each row: made once, because each call that passes asks for them. */
const formsOfRows = new WeakMap<Pick<ToolRules, 'refuses'>, KnownForms>();

/** What calls that pass to a vendor without a row are held to: most vendors refuse it, and the other form means the same. */
const WITHOUT_A_ROW: Pick<ToolRules, 'refuses'> = { refuses: ['no-properties'] };

/** What a vendor is known to refuse. */
export function knownForms(rules: Pick<ToolRules, 'refuses'> = WITHOUT_A_ROW): KnownForms {
  const known = formsOfRows.get(rules);
  if (known !== undefined) return known;
  const forms = formsOf(rules.refuses ?? []);
  formsOfRows.set(rules, forms);
  return forms;
}

function formsOf(refuses: readonly SchemaForm[]): KnownForms {
  const all = new Set(refuses);
  const [noProperties, rootUnion, propertyNames, empty] = [
    all.has('no-properties'),
    all.has('root-union'),
    all.has('property-names'),
    all.has('empty'),
  ];
  return {
    all,
    noProperties,
    rootUnion,
    propertyNames,
    empty,
    pattern: all.has('pattern'),
    root: noProperties || rootUnion || propertyNames || empty,
    deep: refuses.some((form) => !AT_ROOT.has(form)),
  };
}

/** The forms that are not written to a vendor in a translated call. */
export function unwrittenForms({ tools }: Quirks): ReadonlySet<SchemaForm> {
  const usual = USUALLY_REFUSED.filter((form) => tools?.takes?.includes(form) !== true);
  return new Set([...usual, ...(tools?.refuses ?? [])]);
}
