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
];
