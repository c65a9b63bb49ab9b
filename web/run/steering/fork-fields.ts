import type { Json, JsonObject } from '../../../src/core/json.ts';
import type { Parameter } from '../../../src/core/workflow.ts';
import type { InputField } from '../../../src/protocol/web/workflow-page.ts';

/** The input of a run as fields that have what it was given: what stays as it is is not said again. */
export function forkFields(parameters: readonly Parameter[], input: JsonObject): readonly InputField[] {
  return parameters.map(({ name, type, description, required }) => {
    const text = textOf(input[name]);
    return {
      name,
      type,
      description,
      isRequired: required,
      default: text,
      choices: type === 'boolean' ? ['true', 'false'] : [],
      isLong: type === 'object' || (text !== null && (text.length > 60 || text.includes('\n'))),
    };
  });
}

function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
