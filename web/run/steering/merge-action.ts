import type { Action, MergeTarget } from '../../../src/protocol/web/action.ts';
import type { Sides } from './conflict-list.tsx';

type Merge = Extract<Action, { kind: 'deliver' }>;

interface Filled extends Required<Pick<Merge, 'run' | 'to' | 'verify' | 'allow'>> {
  readonly workspace: string | null;
  readonly sides: Sides;
}

/** What was left empty is left out; so is the check of files that are taken as not verified. */
export const mergeAction = ({ run, workspace, to, verify, allow, sides }: Filled): Merge => ({
  kind: 'deliver',
  run,
  ...(workspace === null ? {} : { workspace }),
  to,
  ...(verify === '' || allow.includes('unverified') ? {} : { verify }),
  ...sidesOf(sides, to),
  ...(allow.length === 0 ? {} : { allow }),
});

function sidesOf(sides: Sides, { kind }: MergeTarget): Pick<Merge, 'ours' | 'theirs'> {
  if (kind === 'branch') return {};
  const of = (wanted: 'ours' | 'theirs'): readonly string[] =>
    [...sides].flatMap(([path, side]) => (side === wanted ? [path] : []));
  const [ours, theirs] = [of('ours'), of('theirs')];
  return { ...(ours.length === 0 ? {} : { ours }), ...(theirs.length === 0 ? {} : { theirs }) };
}
