import type { Progress } from '../../app/world/progress.ts';
import { isSamePlace } from './progress.ts';

/** How long something may take before a word about it is due. */
export const PATIENCE_MS = 500;

/**
 * Where lines stay, what is over in a moment is not worth one: work is reported only once it has taken so long. A setup command
 * is the user's own and always reported.
 */
export function patiently(report: (progress: Progress) => void, patienceMs: number): (progress: Progress) => void {
  const held = new Map<number, { readonly progress: Progress; readonly timer: NodeJS.Timeout }>();
  const letGo = ({ id }: Progress): boolean => {
    clearTimeout(held.get(id)?.timer);
    return held.delete(id);
  };
  const hold = (progress: Progress): void => {
    const ring = (): void => void (letGo(progress) && report(progress));
    held.set(progress.id, { progress, timer: setTimeout(ring, patienceMs).unref() });
  };
  return (progress) => {
    // A setup is a part of making its workspace, which is reported first.
    if (progress.what === 'setup') {
      for (const { progress: whole } of held.values()) if (isSamePlace(whole, progress) && letGo(whole)) report(whole);
      return report(progress);
    }
    if (patienceMs === 0) return report(progress);
    if (progress.state === 'started') return hold(progress);
    // Work that never let a timer ring may have been long all the same.
    if (!letGo(progress) || (progress.ms ?? 0) >= patienceMs) report(progress);
  };
}
