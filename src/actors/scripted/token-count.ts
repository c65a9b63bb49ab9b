import type { ScriptedUsage } from './rule.ts';
import { argumentsText, type ScriptedCall } from './scripted-answer.ts';
import type { ScriptedRequest } from './scripted-request.ts';

const CHARACTERS_A_TOKEN = 4;

/** A made-up count that is the same every time and grows with the conversation, as a real one does. */
export function countTokens(request: ScriptedRequest, text: string, calls: readonly ScriptedCall[]): ScriptedUsage {
  let asked = 0;
  for (const message of request.messages) asked += message.content.length;
  let said = text.length;
  for (const call of calls) said += call.name.length + argumentsText(call).length;
  return { input: tokens(asked), output: tokens(said), cacheRead: 0, cacheWrite: 0 };
}

/** All of a request, with its tools: what is compared with the window. */
export function requestTokens({ messages, tools: offered }: Pick<ScriptedRequest, 'messages' | 'tools'>): number {
  let characters = offered.length === 0 ? 0 : JSON.stringify(offered).length;
  for (const { content, toolCalls } of messages) {
    characters += content.length + (toolCalls === undefined ? 0 : JSON.stringify(toolCalls).length);
  }
  return tokens(characters);
}

export const tokens = (characters: number): number => Math.ceil(characters / CHARACTERS_A_TOKEN);
