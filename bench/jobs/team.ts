import type { Actor, CallAnswer } from '../../src/actors/port.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Role } from '../../src/core/model/role.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import type { ToolCall } from '../../src/core/model/message.ts';
import { parseStateMachine } from '../../src/formats/state-machine/parse-state-machine.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import type { LoopModel, Verdict } from '../workload.ts';

/** The coder/reviewer loop as people write it: a state-machine file, conditions and all. */
export function teamDefinition(turns: number): Definition {
  const document: Json = {
    workflow_name: 'coder_reviewer',
    description: 'A coder and a reviewer share one conversation.',
    input: { name: 'task', type: 'string' },
    variables: { max_iterations: turns },
    contexts: [{ name: 'work', max_length: 1_000_000_000 }],
    agents: [
      { agent_role: 'coder', context: 'work', role: 'assistant' },
      { agent_role: 'reviewer', context: 'work', role: 'user' },
    ],
    states: [
      { name: 'start', transition: [{ target: 'coding' }] },
      {
        name: 'coding',
        agent: 'coder',
        action: { function: 'sendUserMessage' },
        transition: [{ target: 'reviewing' }],
      },
      {
        name: 'reviewing',
        agent: 'reviewer',
        action: { function: 'sendUserMessage' },
        transition: [
          { target: 'coding', condition: 'function.review_work.arguments.improvement_needed' },
          { target: 'stop', condition: 'true' },
        ],
      },
      { name: 'stop' },
    ],
  };
  const [workflow] = valueOrFault(
    parseStateMachine(document, { file: 'coder_reviewer.json', locate: () => undefined }),
    'WORKFLOW_INVALID',
  );
  if (workflow === undefined) throw new Error('The file holds no workflow.');
  return { workflow, library: {}, roles: { coder: role('coder', []), reviewer: role('reviewer', [REVIEW]) } };
}

export const REVIEW = {
  name: 'review_work',
  description: 'Say whether the work is good enough.',
  parameters: {
    type: 'object',
    properties: {
      improvement_needed: { type: 'boolean' },
      continue_message: { type: 'string' },
      work_summary: { type: 'string' },
    },
    required: ['improvement_needed'],
  },
} as const;

export const role = (name: string, parsingTools: Role['parsingTools']): Role => ({
  name,
  level: 'base',
  systemMessage: `You are the ${name}.`,
  examples: [],
  excludedTools: [],
  includedTools: [],
  parsingTools,
});

/** An actor inside this process that answers at once. A blind one does not look at the conversation. */
export function loopActor(model: LoopModel, blind = false): Actor {
  return {
    kind: 'bench',
    async call(request) {
      const seen = blind ? { length: Number.POSITIVE_INFINITY } : request.messages;
      if (request.agent === 'coder') return answer(await model.coder(seen as readonly unknown[]), []);
      const { text, verdict } = await model.reviewer(seen as readonly unknown[]);
      return answer(text, [{ id: 'verdict', name: 'review_work', arguments: verdict as Verdict & Json }]);
    },
  };
}

export const answer = (content: string, toolCalls: readonly ToolCall[]): CallAnswer => ({
  kind: 'answered',
  content,
  toolCalls,
  usage: { inputTokens: 10, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, calls: 1 },
  costUsd: 0,
  model: 'bench',
});
