import type { JsonObject } from '../../core/json.ts';
import { schemaFaults } from '../../core/schema-faults.ts';
import { nameHint } from '../source/closest-name.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import type { SourcePath } from '../source/source-path.ts';

/**
 * Reports what no model can be sent in the parameters of a tool. A provider refuses or ignores an unknown keyword, and in YAML
 * it is easily written by accident: inside braces the comma of an unquoted sentence begins the next key.
 */
export function checkToolSchema(schema: JsonObject, path: SourcePath, report: ProblemReport): void {
  for (const { code, path: below, message, hint, known = [] } of schemaFaults(schema)) {
    const meant = hint ?? nameHint(String(below.at(-1)), known);
    const part = code === 'SCHEMA_KEYWORD' ? { part: 'key' as const } : {};
    report.error(code, message, { path: [...path, ...below], ...part, hint: meant });
  }
}
