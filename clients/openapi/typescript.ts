import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Method, nameOf, ownApi, type Parameter, type Resource, type Schema } from './resources.ts';

/**
 * `node clients/openapi/typescript.ts` writes the types and resources of the JavaScript client from what the gateway says of
 * itself in `/openapi.json`. The result is committed; `tests/clients/generated.test.ts` fails where it is stale.
 */
export const GENERATED = fileURLToPath(new URL('../javascript/src/generated.ts', import.meta.url));

const BINARIES = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

/** Of a comment's line, without its indentation. */
const WIDTH = 108;

const { resources: RESOURCES, schemas: SCHEMAS } = ownApi();

const HEAD = `// Made by \`node clients/openapi/typescript.ts\` from the gateway's /openapi.json; changes here are lost.
import { type OpenAI, OpenAIError } from 'openai';
import type { APIPromise } from 'openai/core/api-promise';
import { CursorPage, type PagePromise } from 'openai/core/pagination';
import { LiveItems } from './live.ts';

type Caller = Pick<OpenAI, 'get' | 'post' | 'patch' | 'put' | 'delete' | 'getAPIList'>;
type RequestOptions = OpenAI.RequestOptions;
`;

const TAIL = `
/** The operation is for administrators: their key goes along where the client has one, else the ordinary one. */
const ADMINISTRATION = { __security: { bearerAuth: true, adminAPIKeyAuth: true } };

/** A value as one piece of a path. */
function piece(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') throw new OpenAIError(\`\\\`\${name}\\\` must be an id.\`);
  return encodeURIComponent(value);
}
`;

/** All of the generated file. */
export function typescript(): string {
  const types = [...SCHEMAS].map(([name, schema]) => declaration(name, schema));
  const classes = RESOURCES.flatMap((resource) => classesOf(resource, ''));
  return formatted([HEAD, ...types, ...classes, TAIL].join('\n'), GENERATED);
}

export function declaration(name: string, schema: Schema): string {
  return `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`;
}

export function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf, type, items } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const either = anyOf ?? oneOf;
  if (either !== undefined) return either.map((each) => typeOf(each)).join(' | ');
  if (allOf !== undefined && type === undefined) return allOf.map((each) => typeOf(each)).join(' & ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each })).join(' | ');
  if (type === 'array') return arrayOf(items ?? {});
  if (type === 'object') return objectOf(schema);
  if (type === 'integer') return 'number';
  return typeof type === 'string' ? type : 'unknown';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}

function arrayOf(items: Schema): string {
  const item = typeOf(items);
  return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

/** An object with all members of a named one is that one with further members. */
function objectOf(schema: Schema): string {
  const base = [...SCHEMAS].find(([, each]) => isPartOf(each, schema));
  if (base === undefined) return membersOf(schema);
  const own = Object.entries(schema.properties!).filter(([name]) => !(name in base[1].properties!));
  return `${base[0]} & ${membersOf({ ...schema, properties: Object.fromEntries(own) })}`;
}

function isPartOf(part: Schema, whole: Schema): boolean {
  const members = Object.entries(part.properties ?? {});
  const isThere = ([name, schema]: [string, Schema]) =>
    isDeepStrictEqual(schema, whole.properties?.[name]) &&
    part.required?.includes(name) === whole.required?.includes(name);
  const isMore = Object.keys(whole.properties ?? {}).length > members.length;
  return members.length > 1 && isMore && members.every(isThere);
}

function membersOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const open = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
  if (Object.keys(properties).length === 0) return `Record<string, ${additionalProperties ? open : 'never'}>`;
  const members = Object.entries(properties).map(([name, schema]) =>
    memberText({ name, schema, required: required.includes(name), ...described(schema.description) }),
  );
  return `{\n${members.join('')}${additionalProperties ? `[member: string]: ${open};\n` : ''}}`;
}

function described(description: string | undefined): Pick<Parameter, 'description'> {
  return description === undefined ? {} : { description };
}

export function memberText({ name, schema, required, description }: Parameter): string {
  const type = typeOf(schema) + (required ? '' : ' | undefined');
  return `${comment(description)}${member(name)}${required ? '' : '?'}: ${type};\n`;
}

function member(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}

/** The class of a resource, behind those of the resources in it, and the types of its methods' queries. */
function classesOf({ name, methods, children }: Resource, prefix: string): string[] {
  const own = prefix + capitalized(name);
  const inner = children.flatMap((child) => classesOf(child, own));
  const queries = methods
    .filter(({ query }) => query.length > 0)
    .map((method) => `export type ${queryName(own, method)} = {\n${method.query.map(memberText).join('')}};\n`);
  const fields = children.map((child) => `readonly ${child.name}: ${own}${capitalized(child.name)}Resource;\n`);
  const made = children.map((child) => `this.${child.name} = new ${own}${capitalized(child.name)}Resource(client);\n`);
  const [kept, keeps] = methods.length === 0 ? ['', ''] : ['readonly #client: Caller;\n', 'this.#client = client;\n'];
  const body =
    `export class ${own}Resource {\n${kept}${fields.join('')}\n` +
    `constructor(client: Caller) {\n${keeps}${made.join('')}}\n` +
    `${methods.map((method) => `\n${methodText(own, method)}`).join('')}}\n`;
  return [...inner, ...queries, body];
}

function queryName(resource: string, { name }: Method): string {
  return `${resource}${capitalized(name)}Params`;
}

function methodText(resource: string, method: Method): string {
  const { name, pathParameters, query, body, answer, administration, httpMethod } = method;
  const needsQuery = query.some(({ required }) => required);
  const parameters = [
    ...pathParameters.map((each) => `${camel(each.name)}: string`),
    ...(body === null ? [] : [`body: ${typeOf(body)}${method.needsBody ? '' : ' = {}'}`]),
    ...(query.length === 0 ? [] : [`query: ${queryName(resource, method)}${needsQuery ? '' : ' = {}'}`]),
    'options?: RequestOptions',
  ];
  const sent = [
    ...(administration ? ['...ADMINISTRATION'] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(body === null ? [] : ['body']),
    '...options',
  ];
  const given = sent.length === 1 ? 'options' : `{ ${sent.join(', ')} }`;
  const path = pathText(method);
  const item = method.isPaged ? method.listOf : null;
  const [type, call] = method.isLive
    ? [`LiveItems<${typeOf(answer)}>`, `new LiveItems(this.#client, ${path}, query, options)`]
    : item === null
      ? [`APIPromise<${typeOf(answer)}>`, `this.#client.${httpMethod}(${path}, ${given})`]
      : [pagesOf(item), `this.#client.getAPIList(${path}, CursorPage<${typeOf(item)}>, ${given})`];
  return `${methodComment(method)}${name}(${parameters.join(', ')}): ${type} {\nreturn ${call};\n}\n`;
}

function pagesOf(item: Schema): string {
  return `PagePromise<CursorPage<${typeOf(item)}>, ${typeOf(item)}>`;
}

function pathText({ path, pathParameters }: Method): string {
  if (pathParameters.length === 0) return `'${path}'`;
  return `\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${piece('${camel(name)}', ${camel(name)})}`)}\``;
}

function methodComment({ summary, description, pathParameters, isPaged, isLive }: Method): string {
  const walked = isPaged
    ? ' `for await` walks through all pages.'
    : isLive
      ? ' `for await` reads them, and goes on by itself where the connection is lost.'
      : '';
  const told = [summary + walked, ...(description === undefined ? [] : [description])];
  const named = pathParameters.filter(hasDescription).map((each) => `@param ${camel(each.name)} ${each.description}`);
  return comment([...told, ...named].join('\n'));
}

function hasDescription({ description }: Parameter): boolean {
  return description !== undefined;
}

/** A comment, wrapped where a line is full; nothing where there is nothing to say. */
export function comment(text: string | undefined): string {
  if (text === undefined) return '';
  const lines = text.split('\n').flatMap(wrapped);
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function capitalized(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** @param file - where it will stand, which says how it is formatted */
export function formatted(source: string, file: string): string {
  const { stdout, stderr, status } = spawnSync('biome', ['format', `--stdin-file-path=${file}`], {
    input: source,
    encoding: 'utf8',
    env: { PATH: `${BINARIES}:${process.env.PATH}` },
  });
  if (status !== 0) throw new Error(`The generated source could not be formatted: ${stderr}`);
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(GENERATED, typescript());
