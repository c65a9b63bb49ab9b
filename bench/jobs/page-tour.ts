import type { Actor } from '../../src/actors/port.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { parseStateMachine } from '../../src/formats/state-machine/parse-state-machine.ts';
import { messageText, verdictOf } from '../workload.ts';
import { answer, REVIEW, role } from './team.ts';

/** The last of them says whether there is another round. */
const AGENTS = ['planner', 'coder', 'tester', 'reviewer'] as const;
const BACK_EVERY = 10;

/** A workflow of so many states that four agents go through one after the other, round after round. */
export function tourDefinition(states: number): Definition {
  const document: Json = {
    workflow_name: 'tour',
    description: 'Four agents go through many states.',
    input: { name: 'task', type: 'string' },
    variables: { max_iterations: 1_000_000 },
    contexts: ['plan', 'work'].map((name) => ({ name, max_length: 1_000_000_000 })),
    agents: AGENTS.map((name, place) => ({
      agent_role: name,
      context: place === 0 ? 'plan' : 'work',
      role: place === 3 ? 'user' : 'assistant',
    })),
    states: [
      { name: 'start', transition: [{ target: stateName(0) }] },
      ...Array.from({ length: states }, (_, place) => tourState(place, states)),
      { name: 'stop' },
    ],
  };
  const origin = { file: 'tour.json', locate: () => undefined };
  const [workflow] = valueOrFault(parseStateMachine(document, origin), 'WORKFLOW_INVALID');
  if (workflow === undefined) throw new Error('The file holds no workflow.');
  const roles = AGENTS.map((name) => [name, role(name, name === 'reviewer' ? [REVIEW] : [])]);
  return { workflow, library: {}, roles: Object.fromEntries(roles) };
}

const stateName = (place: number): string => `step_${String(place + 1).padStart(3, '0')}`;

function tourState(place: number, states: number): Json {
  const isLast = place === states - 1;
  const back = { target: stateName(Math.max(0, place - BACK_EVERY)), condition: 'false' };
  const again = { target: stateName(0), condition: 'function.review_work.arguments.improvement_needed' };
  const next = { target: isLast ? 'stop' : stateName(place + 1), condition: 'true' };
  const first = isLast ? [again] : place % BACK_EVERY === BACK_EVERY - 1 ? [back] : [];
  return {
    name: stateName(place),
    agent: isLast ? 'reviewer' : (AGENTS[place % (AGENTS.length - 1)] ?? 'coder'),
    action: { function: 'sendUserMessage' },
    transition: [...first, next],
  };
}

export interface Tour {
  readonly rounds: number;
  /** What a turn waits for before it is answered. */
  readonly wait: () => Promise<unknown>;
}

/** Answers with 500 characters each, and is content after so many rounds. */
export function tourActor({ rounds, wait }: Tour): Actor {
  let turn = 0;
  let round = 0;
  return {
    kind: 'bench',
    async call({ agent }) {
      await wait();
      turn += 1;
      const text = messageText(agent, turn);
      if (agent !== 'reviewer') return answer(text, []);
      round += 1;
      const verdict = { ...verdictOf(round < rounds) };
      return answer(text, [{ id: `verdict-${round}`, name: 'review_work', arguments: verdict }]);
    },
  };
}
