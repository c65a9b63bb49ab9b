import { isJsonObject, type Json } from '../../core/model/json.ts';
import type { Reply } from './rule.ts';
import { stepsSchema } from './scenario.ts';
import { newestText, type ScriptedRequest, stepIdIn } from './scripted-request.ts';

const FENCE = '```troupe-script';

/** A script inside a prompt: its steps, or what is wrong with it. */
export type PromptScript =
  | { readonly kind: 'steps'; readonly steps: readonly Reply[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * A prompt may carry its own answers, so that even a client without configuration follows a script:
 *
 *     ```troupe-script
 *     [{ "tools": [{ "name": "write_file", "arguments": { "path": "a.txt", "content": "hi" } }] }, "All done."]
 *     ```
 *
 * The steps are replies as in a scenario; which one is next follows from the rounds of tool results after the prompt.
 * Of several blocks the last one counts: prompts get joined.
 */
export function scriptIn(prompt: string): PromptScript | null {
  const start = prompt.lastIndexOf(FENCE);
  if (start === -1) return null;
  const body = prompt.slice(start + FENCE.length);
  const end = body.lastIndexOf('```');
  return parsed(end === -1 ? body : body.slice(0, end));
}

export function withoutScript(prompt: string): string {
  const start = prompt.lastIndexOf(FENCE);
  if (start === -1) return prompt;
  const end = prompt.lastIndexOf('```');
  return `${prompt.slice(0, start)}${end > start ? prompt.slice(end + 3) : ''}`.trim();
}

function parsed(text: string): PromptScript {
  try {
    const result = stepsSchema.safeParse(JSON.parse(text));
    if (result.success) return { kind: 'steps', steps: result.data };
    return refused(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

const refused = (why: string): PromptScript => ({
  kind: 'refused',
  message: `The troupe-script block of the prompt cannot be used: ${why}`,
});

const NAMES = /\$\{(last|step|run|role|agent|state|visit|call|attempt|model)\}/g;

/** Puts what the request says where `${last}`, `${visit}` and the like stand. Any other `${…}` is left: it may be code. */
export function fillTemplate(text: string, request: ScriptedRequest): string {
  if (!text.includes('${')) return text;
  return text.replace(NAMES, (_, name: TemplateName) => {
    if (name === 'last') return withoutScript(newestText(request));
    return String((name === 'step' ? stepIdIn(request) : request[name]) ?? '');
  });
}

type TemplateName = 'last' | 'step' | 'run' | 'role' | 'agent' | 'state' | 'visit' | 'call' | 'attempt' | 'model';

export function fillTemplates(value: Json, request: ScriptedRequest): Json {
  if (typeof value === 'string') return fillTemplate(value, request);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => fillTemplates(item, request));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplates(item, request)]));
}
