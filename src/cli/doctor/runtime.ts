import { type Check, ok } from './check.ts';

/** That it is new enough was seen to before anything else ran. */
export function checkRuntime(version: string): Check[] {
  return [ok('headgate', version), ok('node', `${process.versions.node} on ${process.platform}-${process.arch}`)];
}
