import type { ScriptedUsage } from './rule.ts';
import { argumentsText, type ScriptedCall } from './scripted-answer.ts';
import type { ScriptedRequest } from './scripted-request.ts';

const CHARACTERS_A_TOKEN = 4;

/** A made-up count that is the same every time and grows with the conversation, as a real one does. */
export function countTokens(
  { size }: Pick<ScriptedRequest, 'size'>,
  text: string,
  calls: readonly ScriptedCall[],
): ScriptedUsage {
  let said = text.length;
  for (const call of calls) said += call.name.length + argumentsText(call).length;
  return { input: tokensOfLength(size), output: tokensOfLength(said), cacheRead: 0, cacheWrite: 0 };
}

export const tokensOfLength = (characters: number): number => Math.ceil(characters / CHARACTERS_A_TOKEN);
