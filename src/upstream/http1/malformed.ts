/** A vendor's answer is not strict HTTP/1.1, or is too large. The message says why. */
export class MalformedAnswer extends Error {}
