import type { Json } from '../core/model/json.ts';
import type { Workflow } from '../core/model/workflow.ts';
import type { PlacedRole } from '../source/roles/placed-role.ts';
import type { Family } from './family.ts';
import { PHASES } from './phases/family.ts';
import { QUEST } from './quest/family.ts';
import { REVIEW } from './review/family.ts';
import { STAGES } from './stages/family.ts';
import { STATE_MACHINE } from './state-machine/family.ts';

/**
 * By the name in their workflows. A further family is a folder next to this file and a line here; what it brings besides
 * (programs, views, commands) has a line in the lists of `registry/`.
 */
const FAMILIES: Readonly<Record<string, Family>> = {
  quest: QUEST,
  review: REVIEW,
  'state-machine': STATE_MACHINE,
  phases: PHASES,
  stages: STAGES,
};

export const familyOf = ({ family }: Pick<Workflow, 'family'>): Family => FAMILIES[family] ?? {};

/** The parser of a document; an unrecognised document gets its problems as a state machine. */
export function documentsOf(document: Json): NonNullable<Family['documents']> {
  const all = Object.values(FAMILIES).flatMap(({ documents }) => (documents === undefined ? [] : [documents]));
  return all.find(({ recognises }) => recognises(document)) ?? STATE_MACHINE.documents;
}

/** Workflows of all families as they are with these roles. */
export const withRoles = (
  workflows: Iterable<Workflow>,
  roles: Readonly<Record<string, PlacedRole>>,
): readonly Workflow[] =>
  Object.values(FAMILIES).reduce<readonly Workflow[]>(
    (all, family) => family.withRoles?.(all, roles) ?? all,
    [...workflows],
  );

export async function shippedWorkflows(): Promise<readonly Workflow[]> {
  const all = await Promise.all(Object.values(FAMILIES).map(async ({ shipped }) => (await shipped?.()) ?? []));
  return all.flat();
}
