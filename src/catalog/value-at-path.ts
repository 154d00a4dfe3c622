import { objectAt } from './catalog-file.ts';

/** The value at a dotted path in an object; `undefined` if it is missing. */
export function valueAtPath(item: object, place: string): unknown {
  return place.split('.').reduce<unknown>((at, name) => {
    const inner = objectAt(at);
    return inner !== null && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, item);
}
