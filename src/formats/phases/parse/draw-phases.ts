import type { UnitNote } from '../../../core/model/drawing.ts';
import type { PhaseSpec } from './phase-list.ts';
import type { PhaseLowering } from './lower-phase.ts';
import { LOOKING } from './lower-phases.ts';

/** The notes on a phase in a drawing, besides its dependencies. */
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

/** A phase file's own states around its phases, drawn as one with them where nothing else can come before. */
export function phaseStep(state: string, states: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(states, 'phases')) return state;
  const isAround = state === 'start' || state === 'judge' || state.startsWith(LOOKING);
  return isAround && !Object.hasOwn(states, 'route') ? 'phases' : state;
}
