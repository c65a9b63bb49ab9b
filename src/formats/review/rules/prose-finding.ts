import { SEVERITIES, type Severity } from './finding.ts';
import type { FindingDraft } from './review.ts';

/** A finding in prose: `[critical] impl_2 src/a.ts:12 claim`; each of the first three may be missing. */
export function findingDraft(text: string, implementations: readonly string[]): FindingDraft {
  const [severity, afterSeverity] = severityIn(text);
  const implementation = implementationIn(afterSeverity, implementations);
  const rest = afterSeverity.slice(implementation?.length ?? 0).replace(/^[\s:,/–—-]+/, '');
  const place = PLACE.exec(rest);
  const claim = rest.slice(place?.[0].length ?? 0).replace(/^[\s:,–—-]+/, '');
  const line = place?.[2] === undefined ? null : Number(place[2]);
  const file = place?.[1] ?? null;
  return { implementation, severity, priority: 3, file, line, claim: claim === '' ? text : claim, change: '' };
}

/** A path: it has a folder or an extension. A line may follow. */
const PLACE = /^([^\s:,]+\.[A-Za-z]\w*|[^\s:,]+\/[^\s:,]+)(?::(\d+))?(?=[\s:,]|$)/;

const SEVERE = new RegExp(`^\\W?(${SEVERITIES.join('|')})\\b\\W*`, 'i');

function severityIn(text: string): readonly [Severity, string] {
  const found = SEVERE.exec(text);
  const severity = SEVERITIES.find((one) => one === found?.[1]?.toLowerCase());
  return [severity ?? 'minor', text.slice(found?.[0].length ?? 0)];
}

function implementationIn(text: string, known: readonly string[]): string | null {
  if (known.length === 0) return /^impl_\d+\b/.exec(text)?.[0] ?? null;
  return known.find((one) => text.startsWith(one) && !/^[\w-]/.test(text.slice(one.length))) ?? null;
}
