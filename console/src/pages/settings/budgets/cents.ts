/** Whole cents of dollars as they are typed: `1,200`, `0.50`. `null`: that is no amount. */
export function centsOf(text: string): number | null {
  const plain = text.trim().replace(/^\$/, '').replaceAll(',', '');
  if (!/^\d+(?:\.\d{1,2})?$/.test(plain)) return null;
  const cents = Math.round(Number(plain) * 100);
  return cents > 0 ? cents : null;
}
