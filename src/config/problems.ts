/** The path of a setting: keys and list indexes. */
export type Path = readonly (string | number)[];

/** A fault and its position. An environment variable has no file and no line. Lines and columns count from 1. */
export type Problem = {
  file: string | null;
  line: number | null;
  column: number | null;
  /** `providers.lab.models[1].price`, or the name of a variable. */
  path: string;
  /** A predicate for the setting at `path`. Never contains a value, which may be a secret. */
  message: string;
};

/** Reports a problem at a path. */
export type Report = (path: Path, message: string) => void;

/** The configuration was refused. The message has one line per problem. */
export class ConfigError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Formats a path for people: `models[1].price`. */
export function showPath(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** Sorts by position in the file; problems outside the file come first. */
export function byPlace(a: Problem, b: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

/** `headgate.yaml:7:5 providers.lab.base_url: must be …`; parts that are missing are left out. */
function problemLine({ file, line, column, path, message }: Problem): string {
  const place = [file, line, column].filter((part) => part !== null).join(':');
  const subject = path === '' ? '' : `${path}:`;
  return [place, subject, message].filter((part) => part !== '').join(' ');
}
