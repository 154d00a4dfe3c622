import type { Path } from './problems.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type Interpolated = {
  tree: unknown;
  /** Referenced variables that are not set. A value that refers to one is removed from the tree. */
  missing: { path: Path; variable: string }[];
  /** Values with a `${` that does not name a variable. */
  malformed: Path[];
  /** Values that name a variable as other programs and shells do. They would be taken as they stand. */
  foreign: Path[];
};

/** Messages for a malformed reference, one of another program, and an unset variable. */
export const MALFORMED = 'has a “${” that does not name a variable; write “$${” for a literal “${”';
export const FOREIGN = `names a variable in the way of another program: write \${NAME} to get its value`;
export const unset = (variable: string): string => `names ${variable}, which is not set in the environment`;

/** `A is not set`, `A and B are not set`. */
export function variableList(variables: readonly string[]): string {
  return variables.length === 1 ? `${variables[0]} is not set` : `${variables.join(' and ')} are not set`;
}

const REFERENCE = /(\$?)\$\{([^}]*)(\}?)/g;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** `$NAME` of shells, `os.environ/NAME`, `env.NAME`, `env::NAME` and `{{NAME}}` of other programs. */
const FOREIGN_REFERENCE = /^(?:(?:\$|os\.environ\/|env\.|env::)[A-Z_][A-Z0-9_]*|\{\{\s*[A-Za-z_][\w.]*\s*\}\})$/;

/** The value of a variable. An empty variable counts as unset. */
export function variable(env: Environment, name: string): string | undefined {
  return Object.hasOwn(env, name) && env[name] !== '' ? env[name] : undefined;
}

/** The first of these variables that is set. */
export function firstVariable(env: Environment, names: readonly string[]): { name: string; value: string } | null {
  for (const name of names) {
    const value = variable(env, name);
    if (value !== undefined) return { name, value };
  }
  return null;
}

/**
 * Replaces `${NAME}` in every string, except in keys, with the variable's value; `$${` stands for a literal `${`.
 * Values are not expanded again, so a variable cannot refer to another one.
 */
export function interpolate(tree: unknown, env: Environment): Interpolated {
  const missing: Interpolated['missing'] = [];
  const malformed: Path[] = [];
  const foreign: Path[] = [];

  const text = (value: string, path: Path): string | undefined => {
    if (FOREIGN_REFERENCE.test(value)) foreign.push(path);
    let complete = true;
    const replaced = value.replace(REFERENCE, (whole, dollar: string, name: string, end: string) => {
      if (dollar !== '') return whole.slice(1);
      if (end === '' || !VARIABLE.test(name)) malformed.push(path);
      else if (variable(env, name) === undefined) missing.push({ path, variable: name });
      else return variable(env, name)!;
      complete = false;
      return '';
    });
    return complete ? replaced : undefined;
  };

  const visit = (value: unknown, path: Path): unknown => {
    if (typeof value === 'string') return text(value, path);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key])] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  };

  return { tree: visit(tree, []), missing, malformed, foreign };
}
