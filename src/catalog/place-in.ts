import { objectAt } from './catalog-file.ts';

/** What stands at a place in an object, with dots between names; `undefined` where there is nothing. */
export function placeIn(item: object, place: string): unknown {
  return place.split('.').reduce<unknown>((at, name) => {
    const inner = objectAt(at);
    return inner !== null && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, item);
}
