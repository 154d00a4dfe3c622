import type { Losses } from '../../core/losses.ts';
import type { CommonParameter, Quirks, RareParameter } from '../../core/quirks.ts';

/** Returns a common parameter's value, or drops it if the vendor refuses it. */
export function commonOf({ refuses = [] }: Quirks, losses: Losses) {
  return <T>(name: CommonParameter, value: T | undefined): T | undefined => {
    if (value === undefined || !refuses.includes(name)) return value;
    losses.add(name);
    return undefined;
  };
}

/** Returns a rare parameter's value, or drops it if the vendor does not accept it. */
export function rareOf({ takes = [] }: Quirks, losses: Losses) {
  return <T>(name: Exclude<RareParameter, 'refusal'>, value: T | undefined): T | undefined => {
    if (value === undefined || takes.includes(name)) return value;
    losses.add(name);
    return undefined;
  };
}
