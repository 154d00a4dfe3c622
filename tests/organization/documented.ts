import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ask } from '../http/client.ts';

type Documented = { paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>> };

/** A `fetch` for official clients that holds every answer against what `/openapi.json` of the gateway says of it. */
export async function documentedFetch(url: string): Promise<typeof fetch> {
  const document = (await ask(`${url}/openapi.json`)).json as Documented;
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajv.addSchema(document, 'openapi');
  const paths = Object.keys(document.paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  return async (input, init) => {
    const answer = await fetch(input, init);
    const { pathname } = new URL(String(input instanceof Request ? input.url : input));
    const path =
      paths.find((each) => each.path === pathname)?.path ?? paths.find((each) => each.pattern.test(pathname))?.path;
    const method = (init?.method ?? 'GET').toLowerCase();
    assert.ok(path !== undefined, `${pathname} is not documented`);
    const documented = document.paths[path]?.[method]?.responses[answer.status];
    assert.ok(documented !== undefined, `${method} ${path}: ${answer.status}`);
    const part = (text: string) =>
      text.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const own = `#/paths/${part(path)}/${method}/responses/${answer.status}`;
    const place = `openapi${documented.$ref ?? own}/content/application~1json/schema`;
    const check = ajv.getSchema(place) ?? ajv.compile({ $ref: place });
    const body: unknown = await answer.clone().json();
    assert.ok(
      check(body),
      `${method} ${path}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body).slice(0, 500)}`,
    );
    return answer;
  };
}
