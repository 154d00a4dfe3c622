/** Where a setting of the file is made; `null` for one of the settings. */
export type SettingPlace = { file: string; line: number | null } | null;

/** Where a setting is made: `headgate.yaml, line 7`, `settings`. */
export function placeOf(place: SettingPlace): string {
  if (place === null) return 'settings';
  return place.line === null ? place.file : `${place.file}, line ${place.line}`;
}
