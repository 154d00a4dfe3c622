import { rawProperties } from './python-raw.ts';
import { typeOf } from './python-types.ts';
import { INDENT, identifier, MARK, pascal, snake, WIDTH, wrapped } from './python-words.ts';
import { type Method, nameOf, type OwnApi, ownApi, type Parameter, type Resource, type Schema } from './resources.ts';

/** `resources.py`: a class for each resource, for the synchronous client and for the asynchronous one. */
export function resourcesFile({ resources }: OwnApi): string {
  const classes = resources.flatMap((resource) => [
    ...resourceClasses(resource, '', true),
    ...resourceClasses(resource, '', false),
  ]);
  return `${MARK}
"""The gateway's own operations, as the clients have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from openai import Omit, omit
from openai._resource import AsyncAPIResource, SyncAPIResource
from openai.pagination import AsyncCursorPage, AsyncPage, SyncCursorPage, SyncPage
from typing_extensions import Unpack

from . import types as _types
from ._live import AsyncLiveItems, LiveItems
from ._requests import AsyncPages, Extras, administration, any_key, given, path, sent, written

if TYPE_CHECKING:
    from . import raw
${classes.join('')}`;
}

/** The class of a resource, after those of its children. */
function resourceClasses(resource: Resource, within: string, isSync: boolean): string[] {
  const name = within + pascal(resource.name);
  const own = `${isSync ? '' : 'Async'}${name}`;
  const children = resource.children.map(
    (child) => `
    @cached_property
    def ${snake(child.name)}(self) -> ${isSync ? '' : 'Async'}${name}${pascal(child.name)}:
        return ${isSync ? '' : 'Async'}${name}${pascal(child.name)}(self._client)
`,
  );
  const methods = resource.methods.map((method) => methodText(method, isSync));
  const text = `\n\nclass ${own}(${isSync ? 'Sync' : 'Async'}APIResource):${[...rawProperties(own), ...children, ...methods].join('')}`;
  return [...resource.children.flatMap((child) => resourceClasses(child, name, isSync)), text];
}

/** An argument of a method: its name, its type with what stands for it where it is left out, and what it is. */
type Argument = { name: string; type: string; description: string | undefined };

function methodText(method: Method, isSync: boolean): string {
  const { pathParameters } = method;
  const places = pathParameters.map(({ name, description }) => ({ name: identifier(name), type: 'str', description }));
  const others = [...bodyArguments(method), ...method.query.map(queryArgument(method))];
  const isListed = method.listOf !== null;
  const item = itemType(method);
  const kept = isSync ? 'Sync' : 'Async';
  const page = `${kept}${method.isPaged ? 'Cursor' : ''}Page[${item}]`;
  const live = `${isSync ? '' : 'Async'}LiveItems`;
  const listed = isSync ? page : `AsyncPages[${item}, ${page}]`;
  const returned = method.isLive ? `${live}[${item}]` : isListed ? listed : item;
  const isAwaited = !isSync && !isListed && !method.isLive;
  const signature = [
    'self',
    ...places.map(({ name, type }) => `${name}: ${type}`),
    ...(others.length > 0 ? ['*'] : []),
    ...others.map(({ name, type }) => `${name}: ${type}`),
    '**request: Unpack[Extras]',
  ];
  const call = method.isLive
    ? liveCall(live, method)
    : isListed
      ? [
          'self._get_api_list(',
          `    ${pathText(method)},`,
          `    page=${page},`,
          ...optionLines(method),
          `    model=${item},`,
          ')',
        ]
      : [
          `self._${method.httpMethod}(`,
          `    ${pathText(method)},`,
          `    cast_to=${item},`,
          ...bodyLines(method),
          ...optionLines(method),
          ')',
        ];
  const body = call.map(
    (line, index) => `${INDENT.repeat(2)}${index === 0 ? `return ${isAwaited ? 'await ' : ''}` : ''}${line}`,
  );
  return `
    ${isAwaited ? 'async ' : ''}def ${snake(method.name)}(
${signature.map((each) => `        ${each},\n`).join('')}    ) -> ${returned}:
${methodDoc(method, [...places, ...others])}${body.join('\n')}
`;
}

function liveCall(live: string, method: Method): string[] {
  const query = method.query.map(({ name }) => `        ${name}=${identifier(name)},`);
  return [
    `${live}(`,
    '    self._client,',
    `    ${pathText(method)},`,
    `    ${itemType(method)},`,
    '    given(',
    ...query,
    '    ),',
    '    request,',
    ')',
  ];
}

/** The class of what comes: of a list, of its items. Throws where it has no name, for then it has no class. */
function itemType({ path, listOf, answer }: Method): string {
  const { $ref } = listOf ?? answer;
  if ($ref === undefined) throw new Error(`What ${path} answers has to be \`named\`.`);
  return `_types.${nameOf($ref)}`;
}

const QUERY_DEFAULT = ' | None = None';

function queryArgument({ isPaged }: Method): (parameter: Parameter) => Argument {
  return ({ name, schema, description, required }) => {
    const type = typeOf(schema, pascal(name), () => {
      throw new Error(`The query parameter ${name} is an object.`);
    });
    const most = isPaged && name === 'limit' ? mostOf(schema) : undefined;
    if (most !== undefined)
      return { name, type: `int = ${most}`, description: `Items of one page: all pages are read.` };
    return { name: identifier(name), type: required ? type : `${type}${QUERY_DEFAULT}`, description };
  };
}

/** Members of a body that is described become arguments; one that may be anything is handed over whole. */
function bodyArguments({ body }: Method): Argument[] {
  if (body === null) return [];
  const described = resolved(body);
  const members = Object.entries(described.properties ?? {});
  if (members.length === 0) return [{ name: 'body', type: 'Mapping[str, Any]', description: body.description }];
  const order = members.toSorted(([a], [b]) => Number(isNeeded(described, b)) - Number(isNeeded(described, a)));
  return order.map(([name, schema]) => {
    const type = sentType(schema);
    return {
      name: identifier(name),
      type: isNeeded(described, name) ? type : `${type} | Omit = omit`,
      description: schema.description,
    };
  });
}

/** What is sent may be of any class that has its members: objects need no class of their own. */
function sentType(schema: Schema): string {
  const open = JSON.parse(JSON.stringify(schema), (_, value) => withoutMembers(value)) as Schema;
  return typeOf(open, '', () => {})
    .replaceAll('list[', 'Sequence[')
    .replaceAll('dict[', 'Mapping[');
}

function withoutMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { properties: _, ...rest } = '$ref' in value ? resolved(value as Schema) : (value as Schema);
  return rest;
}

function bodyLines(method: Method): string[] {
  const names = bodyArguments(method).map(({ name }) => name);
  if (method.body === null) return [];
  if (names.length === 1 && names[0] === 'body') return ['    body=body,'];
  const whole = `    body=written(${names.map((name) => `${name}=${name}`).join(', ')}),`;
  if (whole.length + INDENT.length * 2 <= WIDTH) return [whole];
  return ['    body=written(', ...names.map((name) => `        ${name}=${name},`), '    ),'];
}

function optionLines(method: Method): string[] {
  const query = method.query.map(({ name }) =>
    name === identifier(name) ? `${name}=${name}` : `**{"${name}": ${identifier(name)}}`,
  );
  const security = method.administration ? 'administration(self._client)' : 'any_key()';
  const lines = [`given(${query.join(', ')})`, security, '**request'];
  const whole = `    options=sent(${lines.join(', ')}),`;
  if (whole.length + INDENT.length * 2 <= WIDTH) return [whole];
  return [
    '    options=sent(',
    '        given(',
    ...query.map((each) => `            ${each},`),
    '        ),',
    `        ${security},`,
    '        **request,',
    '    ),',
  ];
}

function pathText({ path, pathParameters }: Method): string {
  if (pathParameters.length === 0) return `"${path}"`;
  return `path("${path}", ${pathParameters.map(({ name }) => `${identifier(name)}=${identifier(name)}`).join(', ')})`;
}

const LIVE = 'Who reads them goes on by itself where the connection is lost.';

function methodDoc({ summary, description, isLive }: Method, args: readonly Argument[]): string {
  const inner = INDENT.repeat(2);
  const described = args.filter((each) => each.description !== undefined);
  const lines = [
    ...wrapped([summary, isLive && LIVE, description].filter(Boolean).join(' '), inner),
    ...(described.length > 0 ? ['', `${inner}Args:`] : []),
    ...described.flatMap(({ name, description }) => argumentDoc(`${name}: ${description}`, inner + INDENT)),
  ];
  return `${inner}"""\n${lines.join('\n')}\n${inner}"""\n`;
}

/** Lines after the first stand further in. */
function argumentDoc(text: string, indent: string): string[] {
  const [line = '', ...more] = wrapped(text, indent + INDENT);
  return [line.slice(INDENT.length), ...more];
}

function isNeeded(schema: Schema, member: string): boolean {
  return schema.required?.includes(member) ?? false;
}

const { schemas } = ownApi();

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : schemas.get(nameOf(schema.$ref))!;
}

function mostOf(schema: Schema): number | undefined {
  return (schema as { maximum?: number }).maximum;
}
