import type { Json } from '../../core/model/json.ts';
import type { Role } from '../../core/model/role.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { buildDefinition } from '../../formats/definition.ts';
import { defineWorkflow, type StateSpec } from '../../formats/registry/define.ts';
import { valueOrFault } from '../../source/checked.ts';

/** The name chats go by in lists. */
export const CHAT = 'chat';

/** The default role of a chat. */
export const ASSISTANT = 'assistant';

const LISTEN = 'listen';

/** What a person's line becomes; it is the answer to the question the chat's run is always asking. */
export type ChatInput =
  | { readonly kind: 'say' | 'note'; readonly role: string; readonly text: string }
  | { readonly kind: 'end' };

/**
 * A chat is a run like any other: a person is asked, an agent answers, over and over. So it has a journal, survives a
 * crash and can be resumed. Every role takes part in one conversation; each line says who is meant.
 */
export function chatDefinition(roles: Readonly<Record<string, Role>>, first: string): Definition {
  const all = { [ASSISTANT]: assistant(), ...roles };
  return valueOrFault(buildDefinition(CHAT, [chatWorkflow(Object.keys(all), first)], all), 'CHAT_INVALID');
}

function assistant(): Role {
  return {
    name: ASSISTANT,
    level: 'base',
    systemMessage:
      'You help a person with the project in your working folder. Be brief and exact; use your tools to look before you claim.',
    examples: [],
    excludedTools: [],
    includedTools: null,
    parsingTools: [],
  };
}

function chatWorkflow(roles: readonly string[], first: string): Workflow {
  const states: Record<string, StateSpec<string, string>> = {
    [LISTEN]: {
      work: { kind: 'ask', question: "'What would you like to say?'" },
      transitions: [
        { target: 'end', when: "result.kind === 'end'" },
        ...roles.map((role) => to(`tell ${role}`, `result.kind === 'note' && ${isFor(role)}`, role)),
        ...roles.map((role) => to(`ask ${role}`, isFor(role), role)),
      ],
    },
    end: { kind: 'end' },
  };
  for (const role of roles) {
    states[`ask ${role}`] = turn(role, 'ask');
    states[`tell ${role}`] = turn(role, 'tell');
  }
  return defineWorkflow<string, string, string>({
    name: CHAT,
    description: 'A person and an agent talk',
    data: { text: '', role: first } satisfies Record<string, Json>,
    contexts: { chat: {} },
    agents: Object.fromEntries(roles.map((role) => [role, { context: 'chat' }])),
    start: LISTEN,
    states,
    // A conversation has no natural number of turns; money, tokens and time still bound it.
    limits: { iterations: 1_000_000 },
  });
}

/** `troupe answer` gives a plain text: it is for the role that was talked to last. */
const isFor = (role: string): string => `(result.role ?? common_data.role) === ${JSON.stringify(role)}`;

function to(target: string, when: string, role: string) {
  const assign = `this.common_data.text = result.text ?? result; this.common_data.role = ${JSON.stringify(role)}`;
  return { target, when, assign };
}

/** A model that fails ends the turn, not the chat. */
function turn(agent: string, mode: 'ask' | 'tell'): StateSpec<string, string> {
  const back = [LISTEN];
  return {
    work: { kind: 'turn', agent, mode, input: 'common_data.text' },
    transitions: back,
    on: { failed: back, timeout: back, quota: back, crashed: back },
  };
}
