import type { Json } from '../../src/core/model/json.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { parseStateMachine } from '../../src/formats/state-machine/parse-state-machine.ts';
import { IMPLEMENTERS, REVIEWERS } from '../workload.ts';
import { role } from './team.ts';

/** Three implementers at the same time, then two reviewers, then a decision made of what was said. */
export function fanoutDefinition(): Definition {
  const everyone = [...IMPLEMENTERS, ...REVIEWERS];
  const document: Json = {
    workflow_name: 'fan_out',
    input: { name: 'task', type: 'string' },
    output: { name: 'decision', type: 'string' },
    contexts: [{ name: 'work', max_length: 1_000_000 }],
    agents: everyone.map((name) => ({ agent_role: name, context: 'work', role: 'assistant' })),
    states: [
      { name: 'start', transition: [{ target: 'implement' }] },
      {
        name: 'implement',
        agents: [...IMPLEMENTERS],
        input: 'common_data.task',
        action: { function: 'sendUserMessage' },
        transition: [{ target: 'review' }],
      },
      {
        name: 'review',
        agents: [...REVIEWERS],
        input: "'Which one is best?'",
        action: { function: 'sendUserMessage' },
        transition: [{ target: 'decide' }],
      },
      {
        name: 'decide',
        action: { script: "this.common_data.decision = 'taken: ' + this.common_data.task;" },
        transition: [{ target: 'stop' }],
      },
      { name: 'stop' },
    ],
  };
  const [workflow] = valueOrFault(
    parseStateMachine(document, { file: 'fan_out.json', locate: () => undefined }),
    'WORKFLOW_INVALID',
  );
  if (workflow === undefined) throw new Error('The file holds no workflow.');
  const roles = Object.fromEntries(everyone.map((name) => [name, role(name, [])]));
  return { workflow, library: {}, roles };
}
