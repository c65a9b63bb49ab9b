import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Parameter, Workflow } from '../../core/workflow.ts';
import { readDocument } from '../../dialects/source/read-document.ts';
import type { InputField } from '../../protocol/web/workflow-page.ts';

/** The form that starts a run. */
export function inputFields(workflow: Workflow | null, text: string | null): readonly InputField[] {
  if (workflow === null) return [];
  const written = workflow.dialect === 'phases' && text !== null ? writtenDefaults(text, workflow) : {};
  return workflow.inputs.map((input, index) => ({
    name: input.name,
    type: input.type,
    description: input.description,
    isRequired: input.required,
    default: defaultOf(input, { ...workflow.data, ...written }),
    choices: input.type === 'boolean' ? ['true', 'false'] : [],
    isLong: isLong(input, index),
  }));
}

/** A variable of the same name is what counts where nothing is given. */
function defaultOf({ name, required }: Parameter, values: JsonObject): string | null {
  const value = required || !Object.hasOwn(values, name) ? null : (values[name] ?? null);
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The task itself, and whatever has parts. */
const isLong = ({ type }: Parameter, index: number): boolean =>
  type === 'object' || ((type === 'string' || type === 'any') && index === 0);

/** What a phase file says of its inputs; its workflow has that only as code. */
function writtenDefaults(text: string, { name, file = '' }: Workflow): JsonObject {
  const read = readDocument(text, { file });
  const document = read.ok ? read.value.document : null;
  const whole = (Array.isArray(document) ? (document as readonly Json[]) : [document]).find(
    (one) => isJsonObject(one) && (one['name'] === name || !Array.isArray(document)),
  );
  const inputs = isJsonObject(whole) ? whole['inputs'] : null;
  if (!isJsonObject(inputs)) return {};
  const given = Object.entries(inputs).flatMap(([key, about]) =>
    isJsonObject(about) && about['default'] !== undefined ? [[key, about['default']] as const] : [],
  );
  return Object.fromEntries(given);
}
