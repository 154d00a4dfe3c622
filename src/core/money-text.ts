import { NANO_PER_CENT, type NanoDollars } from './money.ts';

/** `$0.0001275`: all digits, at least cents; a dash for an unknown amount. */
export function moneyText(amount: NanoDollars | null): string {
  if (amount === null) return '-';
  const digits = amount.toString().padStart(10, '0');
  return `$${digits.slice(0, -9)}.${digits.slice(-9).replace(/0{1,7}$/, '')}`;
}

/** For people: cents from a dollar on (`$1234.50`), four significant digits below; a dash for an unknown amount. */
export function roundedText(amount: NanoDollars | null): string {
  if (amount === null) return '-';
  const step =
    amount >= 100n * NANO_PER_CENT ? NANO_PER_CENT : 10n ** BigInt(Math.max(0, amount.toString().length - 4));
  return moneyText(((amount + step / 2n) / step) * step);
}
