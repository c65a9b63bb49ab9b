import { statesAfterOk } from './reachability.ts';
import type { MergeWork, Workflow } from '../model/workflow.ts';

/** The merges of a workflow that combine the work of several workspaces, as opposed to those that merge one chosen workspace. */
export interface JointMerges {
  /** Of the run into the one that called it: every unit of a pool does the same. */
  readonly home: MergeWork | null;
  /** By agent, where the merge of another agent can follow or come before in the same run. */
  readonly byAgent: ReadonlyMap<string, MergeWork>;
}

interface OneMerge {
  readonly state: string;
  readonly work: MergeWork;
  /** States that can follow once it has succeeded. A merge that replaces a failed one combines nothing. */
  readonly after: ReadonlySet<string>;
}

const known = new WeakMap<Workflow, JointMerges>();

export function jointMerges(workflow: Workflow): JointMerges {
  const found = known.get(workflow) ?? findJoint(workflow);
  known.set(workflow, found);
  return found;
}

function findJoint(workflow: Workflow): JointMerges {
  const merges = Object.values(workflow.states).flatMap((state): readonly OneMerge[] => {
    if (state.kind === 'end' || state.work.kind !== 'merge') return [];
    return [{ state: state.name, work: state.work, after: statesAfterOk(workflow, state) }];
  });
  const home = merges.find(({ work }) => work.agent === null && work.unit === undefined)?.work ?? null;
  const ofAgents = merges.filter(({ work }) => work.agent !== null);
  const joint = ofAgents.filter((one) => ofAgents.some((other) => isJoint(one, other)));
  return { home, byAgent: new Map(joint.map(({ work }) => [work.agent ?? '', work])) };
}

const isJoint = (one: OneMerge, other: OneMerge): boolean =>
  one.work.agent !== other.work.agent && (one.after.has(other.state) || other.after.has(one.state));
