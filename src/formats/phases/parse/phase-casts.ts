import type { Cast } from '../../../core/model/workflow.ts';
import type { PhaseDocument } from './phases-schema.ts';

type Mode = PhaseDocument['mode'];

/** The mode each shipped type has by itself: naming it changes nothing. */
const OWN_MODES: Readonly<Record<string, Mode>> = {
  planning: 'PLANNING',
  execution: 'EXECUTION',
  verification: 'VERIFICATION',
  fix: 'FIX',
  research: 'RESEARCH',
  orchestrator: 'ORCHESTRATION',
};

/** The role of an agent type in a mode: the type itself, or one made from it. */
export function castName(type: string, mode: Mode): string {
  return mode === undefined || OWN_MODES[type] === mode ? type : `${type}:${mode}`;
}

export function castsFor(types: readonly string[], mode: Mode): Readonly<Record<string, Cast>> {
  if (mode === undefined) return {};
  const changed = types.filter((type) => castName(type, mode) !== type);
  return Object.fromEntries(changed.map((type) => [castName(type, mode), { of: type, change: {}, agentMode: mode }]));
}
