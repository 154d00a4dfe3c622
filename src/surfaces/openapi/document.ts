import { CHAT_SCHEMAS, EMBEDDING_SCHEMAS } from './call-schemas.ts';
import { answerHeaders } from './headers.ts';
import { LIST_SCHEMAS } from './list-schemas.ts';
import { MESSAGE_SCHEMAS } from './message-schemas.ts';
import { paths } from './operations.ts';
import { RESPONSE_SCHEMAS } from './response-schemas.ts';
import { ROUTE_SCHEMAS } from './route-schemas.ts';
import { USAGE_SCHEMAS } from './usage-schemas.ts';

export type DocumentOptions = {
  /** The word that the names of the gateway's own headers begin with. */
  headerPrefix: string;
  /** Of this software. */
  version: string;
};

/** Everything that is served, in OpenAPI 3.1. https://spec.openapis.org/oas/v3.1.0 */
export function openApiDocument({ headerPrefix, version }: DocumentOptions) {
  const headers = answerHeaders(headerPrefix);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Headgate',
      version,
      summary: 'One address, one key and one bill for every language model.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The host that served this document.' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [
      { name: 'Models', description: 'Calls to models.' },
      { name: 'Catalog', description: 'What can be called.' },
      { name: 'Usage', description: 'What was used, and what it cost.' },
      { name: 'Operation', description: 'For those who run the gateway.' },
    ],
    paths: paths(headers),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, as made by `headgate keys create`.' },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same key, for clients that send it so.',
        },
      },
      headers: Object.fromEntries(Object.values(headers).flatMap((set) => Object.entries(set))),
      schemas: {
        ...CHAT_SCHEMAS,
        ...RESPONSE_SCHEMAS,
        ...MESSAGE_SCHEMAS,
        ...EMBEDDING_SCHEMAS,
        ...LIST_SCHEMAS,
        ...USAGE_SCHEMAS,
        ...ROUTE_SCHEMAS,
      },
    },
  };
}
