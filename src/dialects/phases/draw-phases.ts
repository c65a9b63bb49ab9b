import type { UnitNote } from '../../core/drawing.ts';
import type { PhaseSpec } from './phase-list.ts';
import type { PhaseLowering } from './phase-lowering.ts';

/** What a drawing tells of a phase besides what it depends on. */
export function phaseNotes(
  parts: readonly { readonly spec: PhaseSpec; readonly loop: PhaseLowering['loop'] }[],
): Readonly<Record<string, UnitNote>> {
  return Object.fromEntries(
    parts.map(({ spec: { id, agentType, condition }, loop }) => [
      id,
      {
        what: agentType,
        when: condition,
        again: loop?.phases.map((one) => one.id) ?? [],
        rounds: loop?.rounds ?? null,
      },
    ]),
  );
}
