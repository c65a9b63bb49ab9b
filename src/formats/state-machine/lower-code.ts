import type { Expression } from '../../core/model/expression.ts';
import { parseExpression, parseProgram } from '../../source/expression/parse-code.ts';
import type { SourcePath } from '../../source/place.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { LoweringScope } from './lowering-scope.ts';

/** Texts that are code: expressions, conditions and scripts. */

const FIXED_TEXT = 'A fixed text needs its own quotes, such as "\'Review the work\'".';

const WHAT = {
  EXPRESSION_INVALID: 'This is not an expression',
  CONDITION_INVALID: 'This condition cannot be read',
  SCRIPT_INVALID: 'This script cannot be read',
} as const;

interface BadCode {
  readonly message: string;
  readonly offset: number;
}

type ParseCode<Value> = (
  text: string,
  options: { readonly names: readonly string[] },
) => { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & BadCode);

/** Reads the text of a file as code that knows these names; null, and a problem is reported, where it cannot be read. */
const codeReader =
  <Value>(code: keyof typeof WHAT, parse: ParseCode<Value>, names: readonly string[] = []) =>
  (text: string, path: SourcePath, scope: LoweringScope): Value | null => {
    const parsed = parse(text, { names });
    if (parsed.ok) return parsed.value;
    const near = text.slice(parsed.offset, parsed.offset + 24);
    const place = near === '' ? 'at its end' : `near ${JSON.stringify(near)}`;
    scope.report.error(code, `${WHAT[code]} (${place}): ${parsed.message}`, {
      path,
      ...(code === 'EXPRESSION_INVALID' ? { hint: FIXED_TEXT } : {}),
    });
    return null;
  };

/** Names of the state's result in its conditions and in the scripts on its transitions. */
const RESULT_NAMES = ['result', 'outcome', 'failure'];

export const lowerCode = codeReader('EXPRESSION_INVALID', parseExpression);

/** Asked after each run of a pool. */
export const lowerGrow = codeReader('EXPRESSION_INVALID', parseExpression, RESULT_NAMES);

/** A script that runs when the state is entered. */
export const lowerScript = codeReader('SCRIPT_INVALID', parseProgram);

/** A script on a transition. */
export const lowerBefore = codeReader('SCRIPT_INVALID', parseProgram, RESULT_NAMES);

const readCondition = codeReader('CONDITION_INVALID', parseExpression, RESULT_NAMES);

/** null always holds. A YAML author may write true without quotes. */
export function lowerCondition(text: string | boolean, path: SourcePath, scope: LoweringScope): Expression | null {
  if (text === true) return null;
  if (text === false) return { kind: 'literal', value: false };
  const read = readCondition(text, path, scope);
  return read?.kind === 'literal' && read.value === true ? null : read;
}

/** States name an agent by its role. */
export function checkAgent(agent: string, path: SourcePath, scope: LoweringScope): void {
  if (scope.names.agents.has(agent)) return;
  scope.report.error('AGENT_UNKNOWN', `There is no agent with the agent_role "${agent}".`, {
    path,
    hint: nameHint(agent, [...scope.names.agents]),
  });
}
