/**
 * Makes a function of text, once at the start: as fast as one that is written by hand. The text must be made of our own names
 * alone, such as those of columns.
 */
export function compiled<Made>(parameters: readonly string[], body: string): Made {
  return new Function(...parameters, `'use strict';${body}`) as Made;
}
