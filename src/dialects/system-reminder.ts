/**
 * System text between turns as part of a user turn, for vendors that refuse a system turn there. Models know that text
 * in these tags is not the user's. Moving it to the start would change the order and the cached prefix. Empty if the
 * text is empty.
 */
export function asReminder(text: string): string {
  return text === '' ? '' : `<system-reminder>\n${text}\n</system-reminder>`;
}
