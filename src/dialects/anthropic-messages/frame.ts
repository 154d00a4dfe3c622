/** Writes one event of a stream. */
export function frame(event: { type: string; [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Sent after `message_start`, and while the stream is silent. */
export const PING = 'event: ping\ndata: {"type": "ping"}\n\n';
