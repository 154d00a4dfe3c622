/**
 * The byte path's oracle: each frame is parsed and written again in its own dialect. Tests run with it in place of the
 * byte path, and the parsed results must be equal.
 */
export function rewriteFrame(event: string | null, data: string): string {
  const name = event === null ? '' : `event: ${event}\n`;
  return `${name}data: ${data === '[DONE]' ? data : JSON.stringify(JSON.parse(data))}\n\n`;
}

/** The same for a whole answer. */
export function rewriteBody(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify(JSON.parse(body.toString('utf8'))));
}
