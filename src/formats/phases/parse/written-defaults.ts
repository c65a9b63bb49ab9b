import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import { readDocument } from '../../../source/read-document.ts';

/** The default inputs in a phase file; its workflow has them only as code. */
export function writtenDefaults(text: string, { name, file = '' }: Workflow): JsonObject {
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
