/**
 * The organization that a request of a signed-in person or of the operator is for, as OpenAI's clients name it; in the
 * query where a browser cannot send a header.
 */
export const ORGANIZATION_HEADER = 'openai-organization';
