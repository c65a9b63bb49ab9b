import type { ScriptedRequest } from './scripted-request.ts';

/** The id of the step that the agent was given, as prompts and refusals tell it: the newest word counts. */
export function toldStep({ messages }: ScriptedRequest): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    const patterns = role === 'user' ? IN_PROMPTS : role === 'tool' ? IN_REFUSALS : [];
    for (const pattern of patterns) {
      const found = pattern.exec(content)?.[1];
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** From the clearest words to the least clear: a prompt may quote other steps as well. */
const IN_PROMPTS = [
  /\byour (?:own )?step is "([^"\n]+)"/i,
  /\bthe step(?: to test)? is "([^"\n]+)"/i,
  /\bstep "([^"\n]+)"/i,
];
const IN_REFUSALS = [/\bYour step is ([^\s,]+), not /];
