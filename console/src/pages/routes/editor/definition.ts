/** A definition of a route, as the gateway read it. What the form does not know of stays in the text as it is. */
export type Definition = Readonly<Record<string, unknown>>;

/** A target, as a definition has it: a name, or a map with more. */
export type Target = string | (Readonly<Record<string, unknown>> & { model: string; weight?: number });

/** What calls of a certain kind are given first, as a definition has it. */
export type Rule = { when: Readonly<Record<string, unknown>>; use: readonly string[]; only?: boolean };

/** How one is chosen, where that is at most rules and one word behind them; `null`: it says more. */
export function strategyOf({ strategy }: Definition): { rules: readonly Rule[]; word: string } | null {
  const entries = (strategy ?? ['priority']) as readonly unknown[];
  const [first] = entries as readonly ({ rules?: readonly Rule[] } | string)[];
  const rules = (typeof first === 'object' && first.rules) || [];
  const [word = 'priority', ...more] = rules.length === 0 ? entries : entries.slice(1);
  return typeof word === 'string' && more.length === 0 ? { rules, word } : null;
}

/** Each rule says first for which calls it is. */
export function strategyWith(rules: readonly Rule[], word: string): unknown[] {
  const written = rules.map(({ when, use, ...rest }) => ({ when, use, ...rest }));
  return rules.length === 0 ? [word] : [{ rules: written }, word];
}

/** Members that the form shows, with those of them that have members of their own. */
const IN_FORM: Readonly<Record<string, readonly string[] | null>> = {
  strategy: null,
  targets: null,
  fallbacks: null,
  limits: ['attempts', 'max_prompt_tokens', 'max_output_tokens', 'max_price'],
  price: ['input_per_1m', 'output_per_1m'],
  unpriced: null,
  defaults: null,
  force: null,
};

/** What a definition says and the form does not show, as paths. */
export function besideForm(definition: Definition): string[] {
  return Object.entries(definition).flatMap(([name, value]) => {
    if (value === undefined) return [];
    // A member may be called `constructor`, which every object has.
    if (!Object.hasOwn(IN_FORM, name)) return [name];
    const shown = IN_FORM[name];
    if (!shown || typeof value !== 'object' || value === null) return [];
    return Object.keys(value)
      .filter((each) => !shown.includes(each))
      .map((each) => `${name}.${each}`);
  });
}

/** A map with another value of a member; one that has no members left is left out, too. */
export function mapWith(of: unknown, name: string, value: unknown): Readonly<Record<string, unknown>> | undefined {
  const { [name]: _, ...rest } = (of ?? {}) as Readonly<Record<string, unknown>>;
  const next = value === undefined ? rest : { ...rest, [name]: value };
  return Object.keys(next).length === 0 ? undefined : next;
}

export function targetsOf(definition: Definition, name: 'targets' | 'fallbacks'): readonly Target[] {
  return (definition[name] ?? []) as readonly Target[];
}

export const modelOf = (target: Target): string => (typeof target === 'string' ? target : target.model);

/** The same target with another model or weight; a name alone where there is nothing more to say. */
export function targetWith(target: Target, changes: { model?: string; weight?: number | null }): Target {
  const { weight, ...rest } = typeof target === 'string' ? { model: target } : target;
  const next = changes.weight === undefined ? weight : (changes.weight ?? undefined);
  const whole = { ...rest, ...(changes.model !== undefined && { model: changes.model }) };
  const said = next === undefined ? whole : { ...whole, weight: next as number };
  return Object.keys(said).length === 1 ? said.model : said;
}

/** The lines of a member of the text, from its name to the next one's: comments above the next belong to that, those between its own lines to it. */
function linesOf(lines: readonly string[], name: string): { from: number; to: number } | null {
  const from = lines.findIndex((line) => line.startsWith(`${name}:`));
  if (from === -1) return null;
  const next = lines.findIndex((line, index) => index > from && /^[^\s#-]/.test(line));
  const own = lines.slice(from, next === -1 ? lines.length : next);
  return { from, to: from + own.findLastIndex((line) => !/^(#|$)/.test(line)) + 1 };
}

/**
 * The text with another value of a member; `undefined` takes it away. All other lines stay as they were typed. `null`: it is written
 * in a way in which a member has no lines of its own, such as a whole configuration.
 */
export function withMember(yaml: string, definition: Definition, name: string, value: unknown): string | null {
  const lines = yaml.replace(/\n$/, '').split('\n');
  // Behind the end of a document, nothing is of it.
  if (lines.some((line) => /^\.\.\.(\s|$)/.test(line))) return null;
  const members = Object.entries(definition).filter(([, of]) => of !== undefined);
  if (members.some(([each]) => each !== name && linesOf(lines, each) === null)) return null;
  const place = linesOf(lines, name) ?? { from: lines.length, to: lines.length };
  const written = value === undefined ? [] : memberText(name, value);
  const text = [...lines.slice(0, place.from), ...written, ...lines.slice(place.to)].filter(
    (line, index, all) => line !== '' || index < all.length - 1,
  );
  return `${text.join('\n')}\n`;
}

/** JSON is YAML, too: a list has a line for each item. */
function memberText(name: string, value: unknown): string[] {
  const isShort = name === 'strategy' && (value as unknown[]).every((entry) => typeof entry === 'string');
  if (!Array.isArray(value) || isShort) return [`${name}: ${wordsOf(value)}`];
  return [`${name}:`, ...value.flatMap(itemText)];
}

/** Of rules each has a line. */
function itemText(item: unknown): string[] {
  const { rules, ...rest } = (item ?? {}) as { rules?: unknown };
  if (!Array.isArray(rules) || Object.keys(rest).length > 0) return [`  - ${wordsOf(item)}`];
  return ['  - rules:', ...rules.map((rule) => `      - ${wordsOf(rule)}`)];
}

/** As it stands in a definition, on one line. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string')
    return /^[A-Za-z][\w./-]*$/.test(value) && !RESERVED.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(wordsOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, of]) => `${wordsOf(name)}: ${wordsOf(of)}`)
    .join(', ')} }`;
}

/** Words that YAML, of one version or another, takes for something else than text. */
const RESERVED = /^(y|n|yes|no|on|off|true|false|null)$/i;
