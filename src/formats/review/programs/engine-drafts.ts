import { shownPath } from '../../../lib/confined-path.ts';
import type { FindingDraft } from '../rules/review.ts';
import type { CommandEvidence } from '../rules/review-state.ts';

export interface LookedAt {
  readonly id: string;
  readonly evidence: CommandEvidence | null;
  /** It is what it was when it began. */
  readonly isEmpty: boolean;
}

/** The engine's own findings against an implementation. `review.pack` finds them, since it looks at the files. */
export function engineDrafts({ id, evidence, isEmpty }: LookedAt): readonly FindingDraft[] {
  const base = { implementation: id, severity: 'critical', priority: 1, line: null } as const;
  const tampered = (evidence?.tampered ?? []).slice(0, MOST).map(({ path, how }) => ({
    ...base,
    file: path,
    claim: `${shownPath(path)} was ${how}, and the command that verifies the work counts on it.`,
    change: how === 'added' ? 'Remove it.' : 'Put it back as it was.',
  }));
  const empty = { ...base, file: null, claim: 'Nothing was changed.', change: 'Do what the task asks for.' };
  return isEmpty ? [...tampered, empty] : tampered;
}

/** More of them say nothing more. */
const MOST = 30;
