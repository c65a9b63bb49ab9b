import type { Failure } from '../../../core/model/outcome.ts';
import type { JsonObject } from '../../../core/model/json.ts';

/** Something a phase owes and did not deliver, or not correctly. */
export interface OutputProblem {
  readonly code: (typeof CODES)[number];
  /** The output or the criterion. */
  readonly name: string;
  readonly path: string | null;
  /** A sentence. */
  readonly why: string;
}

/** The most important comes first: it becomes the code of the failure. */
const CODES = [
  'OUTPUT_OUTSIDE',
  'OUTPUT_MISSING',
  'OUTPUT_TOO_MANY',
  'PLAN_INVALID',
  'REPORT_INVALID',
  'CRITERIA_FAILED',
] as const;

/** All of them at once, so that the agent can correct everything. */
export function problemsAnswer(
  phase: string,
  problems: readonly OutputProblem[],
): { readonly output: JsonObject; readonly failure: Failure } {
  const code = CODES.find((one) => problems.some((problem) => problem.code === one)) ?? 'OUTPUT_MISSING';
  const lines = problems.slice(0, MOST_LISTED).map(({ name, why }) => `${name}: ${why}`);
  const more = problems.length - lines.length;
  const listed = more > 0 ? [...lines, `There are ${more} more.`] : lines;
  const text = [
    'Your work is not complete. This is missing or wrong:',
    ...listed.map((line) => `- ${line}`),
    '',
    REMEDY,
  ];
  return {
    output: { missing: problems.map(({ name, path, why }) => ({ name, path, why })), text: text.join('\n') },
    failure: {
      code,
      message: `Phase "${phase}" did not deliver what it owes. ${listed.join(' ')}`,
      class: 'logic',
      hint: HINTS[code],
    },
  };
}

const MOST_LISTED = 30;

const REMEDY = 'Correct this now, in the way that your order names. Everything is checked again when your turn ends.';

const HINTS: Readonly<Record<OutputProblem['code'], string>> = {
  OUTPUT_OUTSIDE: 'Outputs are files of the workspace: name them by a path relative to the project, without links.',
  OUTPUT_MISSING: 'Let the phase run again, or take out of `output` what it does not make.',
  OUTPUT_TOO_MANY: 'Name the files that matter, or ignore what is made from others.',
  PLAN_INVALID: '`troupe schema tasks` shows what a list of tasks looks like.',
  REPORT_INVALID: 'A report that conditions read must be JSON.',
  CRITERIA_FAILED: 'Let the phase run again, or change its success criteria.',
};
