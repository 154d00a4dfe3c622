import { type Method, type Parameter, wholeApi } from './resources.ts';
import { comment, declaration, formatted, memberText, typeOf } from './typescript.ts';

const HEAD = `// Made by \`node build/console-api.ts\` from the gateway's /openapi.json; changes here are lost.
`;

/**
 * What the console knows of the API: a type for each named schema, the types of each operation, and the paths of operations. The
 * console cannot call anything else.
 *
 * @param file where it is written, which says how it is formatted
 */
export function consoleApi(file: string): string {
  const { operations, schemas } = wholeApi();
  const types = [...schemas].map(([name, schema]) => declaration(name, schema));
  const each = [...operations].map(([id, method]) => `${comment(method.summary)}${id}: ${signature(method)};\n`);
  const places = [...operations].map(([id, { httpMethod, path }]) => `${id}: '${httpMethod.toUpperCase()} ${path}',\n`);
  return formatted(
    [
      HEAD,
      ...types,
      `/** What each operation takes and answers. */\nexport type Operations = {\n${each.join('')}};\n`,
      `/** Method and path of each operation. */\nexport const PLACES: Record<keyof Operations, string> = {\n${places.join('')}};\n`,
    ].join('\n'),
    file,
  );
}

function signature({ pathParameters, query, body, answer }: Method): string {
  const parts = [
    ['path', objectOf(pathParameters)],
    ['query', objectOf(query)],
    ['body', body === null ? 'undefined' : typeOf(body)],
    ['answer', typeOf(answer)],
  ];
  return `{ ${parts.map(([name, type]) => `${name}: ${type}`).join('; ')} }`;
}

function objectOf(parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? 'Record<never, never>' : `{\n${parameters.map(memberText).join('')}}`;
}
