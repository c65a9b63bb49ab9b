import { isJsonObject, type Json } from '../../core/json.ts';
import { withoutScript } from './prompt-script.ts';
import { newestText, type ScriptedRequest } from './scripted-request.ts';
import { toldStep } from './told-step.ts';

const NAMES = /\$\{(last|step|run|role|agent|state|visit|call|attempt|model)\}/g;

/** Puts what the request says where `${last}`, `${visit}` and the like stand. Any other `${…}` is left: it may be code. */
export function fillTemplate(text: string, request: ScriptedRequest): string {
  if (!text.includes('${')) return text;
  return text.replace(NAMES, (_, name: TemplateName) => {
    if (name === 'last') return withoutScript(newestText(request));
    return String((name === 'step' ? toldStep(request) : request[name]) ?? '');
  });
}

type TemplateName = 'last' | 'step' | 'run' | 'role' | 'agent' | 'state' | 'visit' | 'call' | 'attempt' | 'model';

export function fillTemplates(value: Json, request: ScriptedRequest): Json {
  if (typeof value === 'string') return fillTemplate(value, request);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => fillTemplates(item, request));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillTemplates(item, request)]));
}
