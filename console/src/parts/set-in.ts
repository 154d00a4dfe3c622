/** Where the configuration file says something: "Set in headgate.yaml, line 12". `null` for what is changed here. */
export function setInText(place: { file: string; line: number | null } | null): string | null {
  if (place === null) return null;
  return `Set in ${place.file.split('/').at(-1)}${place.line === null ? '' : `, line ${place.line}`}`;
}
