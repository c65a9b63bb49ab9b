import type { FoundLevel } from './found-level.ts';

/** One line for people. */
export function describeSandbox(found: FoundLevel): string {
  if (found.failures.length > 0) return `${found.level}: does not work here: ${found.failures.join('; ')}`;
  const overlay = found.hasOverlay ? ', throw-away overlays' : '';
  const gaps = found.gaps.length === 0 ? '' : `; not covered: ${found.gaps.join(', ')}`;
  return `${found.level}: ${CLAIMS[found.level]}${overlay}${gaps}`;
}

const CLAIMS = {
  bubblewrap: 'sees and writes only what is declared, no powers, network off unless allowed',
  landlock: 'REDUCED: reads and writes only what is declared, no TCP unless allowed',
  none: 'NO SANDBOX: commands can do all that you can',
} as const;
