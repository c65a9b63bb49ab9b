import { type ChangedPart, changesOr } from '../family.ts';

export const stageChanges = (parts: readonly ChangedPart[]): readonly string[] =>
  changesOr(parts.flatMap(stageWords), 'its functions');

/** Lowered states of every stage workflow, besides those of its stages. */
const BESIDE = new Set(['asking', 'together', 'done', 'partial', 'failed']);

function stageWords({ key, name, how }: ChangedPart): readonly string[] {
  if (key === 'states' && name !== null) {
    if (name === 'route') return ['its functions or how it routes changed'];
    if (BESIDE.has(name)) return [];
    const [stage, player] = name.split('@');
    return player === undefined ? [`stage "${stage}" ${how}`] : [`stage "${stage}": fallback "${player}" ${how}`];
  }
  if (key === 'agents') return [`agent "${name}" ${how}`];
  return key === 'description' ? ['description changed'] : [];
}
