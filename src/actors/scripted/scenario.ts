import type { Problem } from '../../core/fault.ts';
import type { Json } from '../../core/json.ts';
import { nowhere, type Locate } from '../../dialects/source/place.ts';
import { problemReport } from '../../dialects/source/problem-report.ts';
import { reportIssues } from '../../dialects/source/schema-problems.ts';
import type { Scenario } from './rule.ts';
import { rulesSchema, scenarioSchema } from './scenario-schema.ts';

export type { Scenario };

export type ParsedScenario =
  | { readonly kind: 'parsed'; readonly scenario: Scenario }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] };

export interface ScenarioOrigin {
  /** As the author knows it. */
  readonly file?: string;
  /** The way back to the lines of the file, where it comes from one. */
  readonly locate?: Locate;
}

/** Takes what a YAML or JSON file holds: a list of rules, or an object with `rules`. Tells all that is wrong at once. */
export function parseScenario(value: unknown, { file, locate = nowhere }: ScenarioOrigin = {}): ParsedScenario {
  // Two schemas rather than one of both, so that a problem's place is the one in the author's file.
  const schema = Array.isArray(value) ? rulesSchema : scenarioSchema;
  const result = schema.safeParse(value);
  if (result.success)
    return { kind: 'parsed', scenario: Array.isArray(result.data) ? { rules: result.data } : result.data };
  const report = problemReport({ file: file ?? '', locate });
  reportIssues(result.error.issues, { schema, document: value as Json }, report);
  return {
    kind: 'refused',
    problems: report.told().map((problem) => (file === undefined ? unnamed(problem) : problem)),
  };
}

const unnamed = ({ file: _none, ...problem }: Problem): Problem => problem;
