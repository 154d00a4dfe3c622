/** A setting of the configuration, for display. */
export type ConfigSetting = {
  /** Its path in the file: `limits.max_body`. */
  name: string;
  /** The effective value in the file's format; a variable is shown by name. */
  value: unknown;
  /** The origin of the value. */
  from: 'file' | 'environment' | 'default';
  /** The line in the file, from 1; `null` if the file does not set it. */
  line: number | null;
  description: string;
};
