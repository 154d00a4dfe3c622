/** The longest value of the gateway's own headers. */
const MAX_VALUE = 1024;

/** Encodes a text for a header: percent-encodes everything except printable ASCII, up to 1 KB. */
export function headerValue(text: string): string {
  if (/^[\x20-\x24\x26-\x7e]*$/.test(text) && text.length <= MAX_VALUE) return text;
  let value = '';
  for (const char of text) {
    const piece = /^[\x20-\x24\x26-\x7e]$/.test(char) ? char : percentEncoded(char);
    if (value.length + piece.length > MAX_VALUE) break;
    value += piece;
  }
  return value;
}

/** A time span as OpenAI writes it: `6m0s`, `1s`, `1.182s`, `20ms`, `0s`. */
export function duration(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole === 0) return '0s';
  if (whole < 1000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor((whole % 3_600_000) / 60_000);
  const seconds = `${(whole % 60_000) / 1000}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

function percentEncoded(char: string): string {
  return [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
