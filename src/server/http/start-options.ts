/**
 * What a page may say besides the input when it starts a run. Not what weakens the sandbox, reads or writes files elsewhere, or
 * is about the terminal: whoever wants that has a terminal.
 */
const VALUED: ReadonlySet<string> = new Set([
  '--max-usd',
  '--max-tokens',
  '--max-duration',
  '--max-iterations',
  '--max-tool-rounds',
  '--model',
  '--actor',
  '--slots',
  '--verify',
]);

const ALONE: ReadonlySet<string> = new Set(['--apply', '--allow-partial']);

export const START_OPTIONS: readonly string[] = [...VALUED, ...ALONE];

/** The first word that is none of these, or no value of one; null where all is well. */
export function oddStartOption([word, ...rest]: readonly string[]): string | null {
  if (word === undefined) return null;
  if (ALONE.has(word)) return oddStartOption(rest);
  const [flag = '', ...joined] = word.split('=');
  if (!VALUED.has(flag)) return word;
  if (joined.length > 0) return oddStartOption(rest);
  const [value, ...others] = rest;
  return value === undefined || value.startsWith('-') ? word : oddStartOption(others);
}
