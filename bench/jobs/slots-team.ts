import type { Json } from '../../src/core/model/json.ts';
import type { Role } from '../../src/core/model/role.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { parseStateMachine } from '../../src/formats/state-machine/parse-state-machine.ts';
import { role } from './team.ts';

export interface SlotsTeam {
  readonly units: number;
  readonly slots: number;
  /** Each unit has a workspace of its own. */
  readonly own: boolean;
  /** Each unit asks a person when its agent has spoken. */
  readonly asks?: boolean;
  readonly role?: Partial<Role>;
}

/** A pool of child runs, as a quest has it: in each of them one agent speaks for its step. */
export function slotsDefinition({ units, slots, own, asks = false, role: given = {} }: SlotsTeam): Definition {
  const steps = Array.from({ length: units }, (_, at) => ({ id: `s${at}` }));
  const parent: Json = {
    workflow_name: 'slots',
    variables: { steps },
    states: [
      {
        name: 'start',
        action: {
          pool: {
            items: 'common_data.steps',
            workflow: 'step',
            input: { step: 'item' },
            slots,
            join: 'all',
            ...(own ? { workspace: 'own' } : {}),
          },
        },
        transition: [{ target: 'stop' }],
      },
      { name: 'stop' },
    ],
  };
  const child: Json = {
    workflow_name: 'step',
    input: { name: 'step', type: 'object' },
    contexts: [{ name: 'work', max_length: 1_000_000 }],
    agents: [{ agent_role: 'coder', context: 'work', role: 'assistant' }],
    states: [
      {
        name: 'start',
        agent: 'coder',
        input: 'common_data.step.id',
        action: { function: 'sendUserMessage' },
        transition: [{ target: asks ? 'ask' : 'stop' }],
      },
      ...(asks ? [{ name: 'ask', action: { ask: { question: "'Go on?'" } }, transition: [{ target: 'stop' }] }] : []),
      { name: 'stop' },
    ],
  };
  const [workflow, step] = valueOrFault(
    parseStateMachine([parent, child], { file: 'slots.json', locate: () => undefined }),
    'WORKFLOW_INVALID',
  );
  if (workflow === undefined || step === undefined) throw new Error('The file holds no workflow.');
  return { workflow, library: { step }, roles: { coder: { ...role('coder', []), ...given } } };
}
