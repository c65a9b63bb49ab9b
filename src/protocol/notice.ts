import { isJsonObject, type Json } from '../core/model/json.ts';
import type { Fact } from '../core/record/fact.ts';
import type { Patch } from '../core/record/patch.ts';

/**
 * The text of a fact that informs the user without waiting for an answer, or null. A workflow adds it to its variable `notices`
 * on the way to its next state; a program that keeps a state answers it as `notice`.
 */
export function noticeIn(fact: Fact): string | null {
  if (fact.kind === 'task.ended') return fact.patch === undefined ? null : textOrNull(noticeOf(fact.output));
  return fact.kind === 'state.entered' ? textOrNull(lastAdded(fact.patch)) : null;
}

function lastAdded(patch: Patch | null): Json | undefined {
  const notices = patch?.set?.['notices'] ?? patch?.inside?.['notices']?.add;
  return Array.isArray(notices) ? (notices as readonly Json[]).at(-1) : undefined;
}

const noticeOf = (output: Json): Json | undefined => (isJsonObject(output) ? output['notice'] : undefined);

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
