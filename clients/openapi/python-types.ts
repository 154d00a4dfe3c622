import { docstring, INDENT, identifier, literal, MARK, pascal, singular } from './python-words.ts';
import { type Method, nameOf, type OwnApi, type Resource, type Schema } from './resources.ts';

/** Classes in the order in which they are to stand: each after those that it names. */
type Classes = { add(name: string, schema: Schema): void; text(): string; names(): string[] };

/** `types.py`: a class for each object that an answer has. */
export function typesFile({ schemas, resources }: OwnApi): string {
  const classes = classesOf(schemas);
  for (const { listOf, answer } of methodsOf(resources)) {
    const name = nameOf((listOf ?? answer).$ref ?? '');
    if (name !== '') classes.add(name, schemas.get(name)!);
  }
  const written = classes.text();
  return `${MARK}
"""What the gateway answers about itself. Members that a newer gateway adds are there, too, without a type."""

from __future__ import annotations
${written.includes('builtins.') ? '\nimport builtins' : ''}
from typing import Any, Literal

from openai import BaseModel
from pydantic import ConfigDict, Field

__all__ = [
${classes
  .names()
  .sort()
  .map((name) => `${INDENT}"${name}",\n`)
  .join('')}]


class _Answer(BaseModel):
    # Members may be called \`model_…\`.
    model_config = ConfigDict(protected_namespaces=())
${written}`;
}

function classesOf(schemas: OwnApi['schemas']): Classes {
  const texts = new Map<string, string>();
  const add = (name: string, schema: Schema) => {
    if (texts.has(name)) return;
    for (const [, ref] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g)) {
      const named = nameOf(ref!);
      if (named !== name) add(named, schemas.get(named)!);
    }
    const members = Object.entries(schema.properties ?? {}).map(([member, each]) => {
      const isRequired = schema.required?.includes(member) ?? false;
      const type = ofBuiltins(typeOf(each, name + pascal(member), add), schema);
      const whole = isRequired || type.endsWith('None') ? type : `${type} | None`;
      const own = identifier(member);
      return `${INDENT}${own}: ${whole}${standsFor(own, member, isRequired)}\n${docstring(each.description, INDENT)}`;
    });
    const said = docstring(schema.description, INDENT);
    texts.set(name, `\n\nclass ${name}(_Answer):\n${said && `${said}\n`}${members.join('') || `${INDENT}pass\n`}`);
  };
  return { add, text: () => [...texts.values()].join(''), names: () => [...texts.keys()] };
}

/** In a class with a member called `list`, that name stands for the member. */
function ofBuiltins(type: string, { properties = {} }: Schema): string {
  return 'list' in properties ? type.replaceAll('list[', 'builtins.list[') : type;
}

/** What a member is where an answer has none, and the name that answers have for it. */
function standsFor(own: string, member: string, isRequired: boolean): string {
  if (own === member) return isRequired ? '' : ' = None';
  return ` = Field(${isRequired ? '' : 'default=None, '}alias="${member}")`;
}

/** A schema in Python's words. Objects with members become classes, which are called `name` and handed to `add`. */
export function typeOf(schema: Schema, name: string, add: Classes['add']): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const types = [...new Set(choices.map((each) => typeOf(each, name, add)))];
    return types.toSorted((a, b) => Number(a === 'None') - Number(b === 'None')).join(' | ');
  }
  if (Array.isArray(schema.type)) return typeOf({ anyOf: schema.type.map((type) => ({ ...schema, type })) }, name, add);
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${schema.items === undefined ? 'Any' : typeOf(schema.items, singular(name), add)}]`;
    case 'object':
      return objectOf(schema, name, add);
    default:
      return 'Any';
  }
}

function objectOf(schema: Schema, name: string, add: Classes['add']): string {
  if (Object.keys(schema.properties ?? {}).length > 0) {
    add(name, schema);
    return name;
  }
  const values = schema.additionalProperties;
  const isTyped = typeof values === 'object' && Object.keys(values).length > 0;
  return `dict[str, ${isTyped ? typeOf(values, name, add) : 'Any'}]`;
}

function methodsOf(resources: readonly Resource[]): Method[] {
  return resources.flatMap(({ methods, children }) => [...methods, ...methodsOf(children)]);
}
