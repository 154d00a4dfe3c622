/** What a vendor sent is not strict HTTP/1.1, or is larger than allowed. The message says what is wrong. */
export class MalformedAnswer extends Error {}
