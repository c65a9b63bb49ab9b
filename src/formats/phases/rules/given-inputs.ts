import type { Json, JsonObject } from '../../../core/model/json.ts';

export interface DeclaredInputs {
  readonly names: readonly string[];
  readonly defaults: JsonObject;
}

const LONGEST_NAME = 40;

/** The inputs that templates read. A feature has the name that it was given, or one made from the request. */
export function givenInputs(data: JsonObject, { names, defaults }: DeclaredInputs): JsonObject {
  const given = names.map((name) => [name, data[name] ?? defaults[name] ?? null] as const);
  const vars: Record<string, Json> = Object.fromEntries(given);
  const { user_request: request = null, feature_name: name = null } = vars;
  return { ...vars, feature_name: name ?? featureName(typeof request === 'string' ? request : '') };
}

function featureName(request: string): string {
  const words = request
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase();
  const name = words.slice(0, LONGEST_NAME).replace(/_+$/, '');
  return name === '' ? 'feature' : name;
}
