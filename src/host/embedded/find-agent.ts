import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { Addressed } from '../port.ts';

/** An agent of a run or of one below it. */
export interface AddressedAgent extends Addressed {
  /** With the way down to its run, as in `t3/coder`. */
  readonly name: string;
  /** It has the word now. */
  readonly isAtWork: boolean;
}

/** The agent that is meant: by its whole name, or by its own; then one of the run itself, or the only one, or the only one at work. */
export function findAgent(run: RunId, agents: readonly AddressedAgent[], wanted: string): AddressedAgent {
  const exact = agents.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const called = agents.filter(({ agent }) => agent === wanted);
  const atWork = called.filter(({ isAtWork }) => isAtWork);
  const [found, other] = atWork.length === 0 ? called : atWork;
  if (found === undefined) throw agentUnknown(run, wanted, agents);
  if (other === undefined) return found;
  throw new Fault('AGENT_AMBIGUOUS', `Run ${run} has ${called.length} agents called "${wanted}".`, {
    hint: `Name the one that is meant: ${namesOf(called)}.`,
  });
}

export function agentUnknown(run: RunId, wanted: string, agents: readonly Pick<AddressedAgent, 'name'>[]): Fault {
  return new Fault('AGENT_UNKNOWN', `Run ${run} has no agent "${wanted}" now.`, {
    hint: agents.length === 0 ? 'It has no agents.' : `It has: ${namesOf(agents)}.`,
  });
}

const namesOf = (agents: readonly Pick<AddressedAgent, 'name'>[]): string =>
  [...new Set(agents.map(({ name }) => name))].join(', ');
