import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Method, type Parameter, wholeApi } from './resources.ts';
import { comment, declaration, formatted, memberText, typeOf } from './typescript.ts';

/**
 * `node clients/openapi/console.ts` writes what the console knows of the gateway's operations, from what the gateway says of
 * itself in `/openapi.json`: it cannot call what is not there. The result is committed; `tests/clients/generated.test.ts`
 * fails where it is stale.
 */
export const CONSOLE_API = fileURLToPath(new URL('../../console/src/api/generated.ts', import.meta.url));

const HEAD = `// Made by \`node clients/openapi/console.ts\` from the gateway's /openapi.json; changes here are lost.
`;

/** All of the generated file: a type for each named schema, the types of each operation, and where operations are. */
export function consoleApi(): string {
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
    CONSOLE_API,
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

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(CONSOLE_API, consoleApi());
