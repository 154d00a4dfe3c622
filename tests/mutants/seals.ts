import { inFile, type Mutant } from './mutant.ts';

/** The lines that decide who gets a vendor's proof of its reasoning. */
export const SEAL_MUTANTS: readonly Mutant[] = [
  ...inFile(
    'dialects/seal-marks.ts',
    ['dialects/seal-marks.test.ts'],
    [
      [
        'a seal goes back to whoever is asked',
        'if (seal?.inPlace !== true || !opens(seal, dialect, provider)) return null;',
        'if (seal?.inPlace !== true) return null;',
      ],
    ],
  ),
  ...inFile(
    'dialects/anthropic-messages/sealed-steps.ts',
    ['dialects/anthropic-messages/sealed-steps.test.ts'],
    [
      [
        'pages that another provider has sealed go to whoever is asked',
        'return seal?.inPlace === true && opens(seal, ID, provider);',
        'return seal?.inPlace === true;',
      ],
      [
        'pages that a vendor of another format found go to Anthropic',
        'return seal?.inPlace === true && opens(seal, ID, provider);',
        'return seal !== null && opens(seal, ID, provider);',
      ],
      ['who has refused sealed pages gets them again', 'provider === null || ', ''],
    ],
  ),
  ...inFile(
    'dialects/anthropic-messages/compaction.ts',
    ['../tests/translation/compaction.test.ts'],
    [
      [
        'a summary that another provider has sealed goes to whoever is asked',
        'return seal === null || !opens(seal, ID, provider);',
        'return seal === null;',
      ],
    ],
  ),
];
