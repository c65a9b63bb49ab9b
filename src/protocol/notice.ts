import type { Fact } from '../core/record/fact.ts';

/**
 * A workflow tells the person something that nothing waits for by adding a text to its variable `notices` on the way to its next
 * state. The text that a fact adds, or null.
 */
export function noticeIn(fact: Fact): string | null {
  const patch = fact.kind === 'state.entered' ? fact.patch : null;
  const notices = patch?.set?.['notices'] ?? patch?.inside?.['notices']?.add;
  const last = Array.isArray(notices) ? (notices as readonly unknown[]).at(-1) : undefined;
  return typeof last === 'string' ? last : null;
}
