/** One setting of the configuration, as people read it. */
export type ConfigSetting = {
  /** As the file calls it: `limits.max_body`. */
  name: string;
  /** What is in force, as the file would say it: a name of a variable where the file names one. */
  value: unknown;
  /** Who says so. */
  from: 'file' | 'environment' | 'default';
  /** The line of the file, from 1; `null` where it does not say it. */
  line: number | null;
  description: string;
};
