/** Where a setting stands: names of keys, and places in lists. */
export type Path = readonly (string | number)[];

/** One thing that is wrong, and where. A variable of the environment has no line, and no file. Lines and columns count from 1. */
export type Problem = {
  file: string | null;
  line: number | null;
  column: number | null;
  /** `providers.lab.models[1].price`, or the name of a variable. */
  path: string;
  /** Says of the setting at `path` what it must be. Never shows a value, which may be a secret. */
  message: string;
};

/** Takes note of something wrong at a path. */
export type Report = (path: Path, message: string) => void;

/** A configuration that is refused. Its message has one line for each problem. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** `['models', 1, 'price']` as people write it: `models[1].price`. */
export function showPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** The order in which a reader of the file meets them; what is not in the file comes first. */
export function byPlace(a: Problem, b: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** `headgate.yaml:7:5 providers.lab.base_url: must be …`, less the parts that there are none of. */
function problemLine({ file, line, column, path, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  const subject = path === '' ? '' : `${path}:`;
  return [place, subject, message].filter((part) => part !== '').join(' ');
}
