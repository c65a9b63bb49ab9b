import type { Problem } from '../../core/fault.ts';
import type { Scenario } from './rule.ts';
import { rulesSchema, scenarioSchema } from './scenario-schema.ts';

export type { Scenario };

export type ParsedScenario =
  | { readonly kind: 'parsed'; readonly scenario: Scenario }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** Takes what a YAML or JSON file holds: a list of rules, or an object with `rules`. Tells all that is wrong at once. */
export function parseScenario(value: unknown, options: { readonly file?: string } = {}): ParsedScenario {
  // Two schemas rather than one of both, so that a problem's place is the one in the author's file.
  const result = Array.isArray(value) ? rulesSchema.safeParse(value) : scenarioSchema.safeParse(value);
  if (result.success)
    return { kind: 'parsed', scenario: Array.isArray(result.data) ? { rules: result.data } : result.data };
  const problems = result.error.issues.map((issue): Problem => ({
    code: 'SCENARIO_INVALID',
    severity: 'error',
    message: issue.message,
    path: pathText(issue.path),
    ...(options.file === undefined ? {} : { file: options.file }),
  }));
  return { kind: 'refused', problems };
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}
