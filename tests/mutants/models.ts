import { inFile, type Mutant } from './mutant.ts';

const ROUTING = ['routing/*.test.ts', 'pipeline/model-limits.test.ts', 'core/model-identity.test.ts'];

/** The lines where it is decided which models a key may use, by whatever name. */
export const MODEL_MUTANTS: readonly Mutant[] = [
  ...inFile('routing/unlisted-models.ts', ROUTING, [
    ['names that no vendor has are sent', ' || !VENDOR_NAME.test(name)', ''],
  ]),
  ...inFile(
    'core/access.ts',
    ['core/model-identity.test.ts'],
    [
      ['a ban holds for names alone', "!(entry.origin === 'vendor' && isBanned(models, entry, names.find))", 'true'],
      ['a list of what may be used bans', "models?.mode === 'deny_list' && ", 'models !== null && '],
    ],
  ),
  ...inFile(
    'pipeline/named-models.ts',
    ['pipeline/named-models.test.ts'],
    [
      ['tools of a vendor ask any model', 'isAllowed(name)) continue;', 'true) continue;'],
      ['what one vendor of several may not be asked is asked', 'all.every(', 'all.some('],
      ['a ban holds for no other name of what a tool asks', ' || isBanned(models, entry, find)', ''],
      [
        'a list of a project says nothing of tools',
        "if (models?.mode === 'allow_list' && !isIn(models.ids)) return false;",
        '',
      ],
      [
        'a list of a key says nothing of tools',
        'return allowedModels === null || isIn(allowedModels);',
        'return true;',
      ],
      ['names are as many as a body holds', 'seen.size === MAX_NAMES', 'false'],
    ],
  ),
  ...inFile(
    'pipeline/model-places.ts',
    ['pipeline/named-models.test.ts'],
    [
      ['what is merged into a body names no models', 'plain(written) !== MERGED', 'true'],
      ['settings of gateways name no models', 'SETTINGS.has(name)', 'false'],
      ['a schema names models', 'CALLERS_TOOLS.has(', 'new Set().has('],
      ['names between commas are one', "split(',')", "split('\\n')"],
      ['names as names of members are none', "plain(value.name!) !== 'models'", 'true'],
    ],
  ),
  ...inFile(
    'core/model-identity.ts',
    ['core/model-identity.test.ts'],
    [
      ['a version is not its model', '= shorter([own, untagged])', '= shorter([])'],
      ['a region makes another model', 'anywhere === last ? ', 'true ? '],
      ['a mark makes another model', ".replace(MARKS, '')", ''],
      ['a version of a version is not its model', 'forms = shorter(forms)', 'forms = []'],
      [
        'another name of the vendor’s model is another model',
        '...theirs.map((form) => accountTerm(provider, form)),',
        '',
      ],
    ],
  ),
];
