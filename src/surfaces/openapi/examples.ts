/** JSON as it is written. */
export type Json = Readonly<Record<string, unknown>>;

/** Values of members with these names in examples, if their schema allows them. */
const BY_NAME: Readonly<Record<string, string | number>> = {
  address: '203.0.113.7',
  amount_usd: '250',
  base_url: 'https://api.example.com/v1',
  color: '#3366ff',
  created_at: 1_764_000_000,
  effective_at: 1_764_000_000,
  email: 'ada@example.com',
  end_time: 1_764_086_400,
  expires_at: 1_795_536_000,
  first_id: 'first',
  group_name: 'Support',
  interval: 'month',
  key: 'sk-the-key-of-the-vendor',
  last_id: 'last',
  limit_usd: '250',
  model: 'openai/gpt-5-mini',
  name: 'Support',
  period_start: 1_764_000_000,
  provider: 'openai',
  recipient: 'ada@example.com',
  region: 'eu',
  reserved_usd: '0.25',
  role: 'member',
  share: 0.1,
  spent_usd: '12.5',
  start_time: 1_764_000_000,
  target: 'openai/gpt-5-mini',
  timezone: 'UTC',
  updated_at: 1_764_000_000,
  url: 'https://hooks.example.com/headgate',
  value: 'shown-this-once',
  version: 1,
  yaml: 'targets: [openai/gpt-5-mini]',
};

/** Members of requests that exclude others. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  addProjectUser: ['email'],
  createRoute: ['definition'],
  createRouteVersion: ['definition'],
  checkRoute: ['definition'],
  tryRoute: ['definition', 'version_id'],
  replayRoute: ['definition', 'version_id'],
};

const SOME_TEXT = 'text';
/** The depth to which recursive schemas are followed. */
const MAX_DEPTH = 12;

/**
 * An example body for people: a valid value of its JSON Schema with every possible member. Texts and numbers are from
 * closed lists or from `BY_NAME`.
 *
 * @param components the named schemas that `$ref` refers to
 */
export function exampleOf(schema: Json, components: Json): unknown {
  return sampleOf(schema, '', 0);

  function sampleOf(asked: Json, name: string, depth: number): unknown {
    const { $ref, const: only, enum: words, default: usual, anyOf, oneOf } = asked as Record<string, never>;
    if ($ref !== undefined) return sampleOf(components[String($ref).split('/').at(-1)!] as Json, name, depth + 1);
    if ('const' in asked) return only;
    if (words !== undefined) return words[0];
    if (usual !== undefined) return usual;
    const choices = (anyOf ?? oneOf) as readonly Json[] | undefined;
    if (choices !== undefined) return sampleOf(choices.find(({ type }) => type !== 'null') ?? choices[0]!, name, depth);
    const type = Array.isArray(asked.type) ? asked.type.find((each) => each !== 'null') : asked.type;
    if (type === 'object' || asked.properties !== undefined) return objectOf(asked, depth);
    if (type === 'array') return listOf(asked.items as Json, name.replace(/s$/, ''), depth);
    if (type === 'boolean') return true;
    if (type === 'integer' || type === 'number') return numberOf(asked, name);
    return type === 'null' ? null : textOf(asked, name);
  }

  function listOf(item: Json, name: string, depth: number): unknown[] {
    return depth > MAX_DEPTH || item.not !== undefined ? [] : [sampleOf(item, name, depth + 1)];
  }

  function objectOf({ properties = {} }: Json, depth: number): unknown {
    const members = depth > MAX_DEPTH ? [] : Object.entries(properties as Readonly<Record<string, Json>>);
    return Object.fromEntries(members.map(([name, member]) => [name, sampleOf(member, name, depth + 1)]));
  }
}

/** An example request, without members that exclude others. */
export function exampleOfRequest(operationId: string, schema: Json, components: Json): unknown {
  const leftOut = LEFT_OUT[operationId] ?? [];
  const members = Object.entries(exampleOf(schema, components) as Json);
  return Object.fromEntries(members.filter(([name]) => !leftOut.includes(name)));
}

function numberOf({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Json, name: string): number {
  const known = BY_NAME[name];
  const wanted = typeof known === 'number' ? known : /_at$/.test(name) ? 1_764_000_000 : 1;
  return Math.min(Math.max(wanted, minimum as number), maximum as number);
}

function textOf({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Json, name: string): string {
  const isAllowed = (text: string) =>
    text.length >= (minLength as number) &&
    text.length <= (maxLength as number) &&
    (pattern === undefined || new RegExp(pattern as string, 'u').test(text));
  const known = BY_NAME[name];
  const candidates = [typeof known === 'string' ? known : '', idLike(name), SOME_TEXT, '2026-11-23', '1.5', '1'];
  return candidates.find((text) => text !== '' && isAllowed(text)) ?? '';
}

/** `project_id`: `proj_…`. */
function idLike(name: string): string {
  const [, of] = /^(?:(.+)_)?id$/.exec(name) ?? [];
  if (of === undefined) return name === 'id' ? 'id_0mb7k2h1' : '';
  return `${of}_0mb7k2h1`;
}
