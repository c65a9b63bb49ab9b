/**
 * A commit number as a record keeps it: with a remainder that notices every flipped bit, in one integer. Each record has one,
 * so it costs neither a second column nor a checksum of text.
 */
export const commitStamp = (commit: number): number => commit * SHIFT + (commit % PRIME);

/** The number in a stamp; undefined where the stamp is damaged. */
export function stampedCommit(stamp: number): number | undefined {
  const commit = Math.floor(stamp / SHIFT);
  return commit > 0 && commitStamp(commit) === stamp ? commit : undefined;
}

const SHIFT = 2 ** 16;
/** The largest prime below the shift: no power of two is a multiple of it. */
const PRIME = 65_521;
