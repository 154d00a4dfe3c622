/** What a vendor sent is not strict HTTP/1.1, or is more than is taken of it. The message says what is wrong. */
export class MalformedAnswer extends Error {}
