import { readdirSync, readFileSync } from 'node:fs';

/** A process and its descendants. */
export function familyOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(Number(name)) }));
  const family = [pid];
  // The list grows during the loop: grandchildren are appended.
  for (const member of family) {
    for (const each of parents) if (each.parent === member) family.push(each.pid);
  }
  return family;
}

/** The fields of `/proc/PID/stat` after the name, which may contain spaces: state, parent, … */
export function fieldsOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** `null` if the process has just ended. */
function parentOf(pid: number): number | null {
  try {
    return Number(fieldsOf(pid)[1]);
  } catch {
    return null;
  }
}
