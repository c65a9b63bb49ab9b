import type { Problem } from '../../core/fault.ts';
import type { Scenario } from './rule.ts';
import { scenarioSchema } from './scenario-schema.ts';

export type { Scenario };

export type ParsedScenario =
  | { readonly kind: 'parsed'; readonly scenario: Scenario }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

/** Takes what a YAML or JSON file holds: a list of rules, or an object with `rules`. Tells all that is wrong at once. */
export function parseScenario(value: unknown, options: { readonly file?: string } = {}): ParsedScenario {
  const result = scenarioSchema.safeParse(value);
  if (result.success) return { kind: 'parsed', scenario: result.data };
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
