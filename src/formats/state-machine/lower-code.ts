import type { Expression, Program } from '../../core/model/expression.ts';
import { parseExpression, parseProgram } from '../../source/expression/parse-code.ts';
import type { SourcePath } from '../../source/place.ts';
import { nameHint } from '../../source/closest-name.ts';
import type { LoweringScope } from './lowering-scope.ts';

/** Texts that are code: expressions, conditions and scripts. */

const FIXED_TEXT = 'A fixed text needs its own quotes, such as "\'Review the work\'".';

export function lowerCode(text: string, path: SourcePath, scope: LoweringScope): Expression | null {
  return readExpression(text, { path, scope, names: [] });
}

/** Asked after each run of a pool. */
export function lowerGrow(text: string, path: SourcePath, scope: LoweringScope): Expression | null {
  return readExpression(text, { path, scope, names: RESULT_NAMES });
}

function readExpression(text: string, { path, scope, names }: CodePlace): Expression | null {
  const parsed = parseExpression(text, { names });
  if (parsed.ok) return parsed.value;
  reportCode('EXPRESSION_INVALID', { text, path, parsed }, scope);
  return null;
}

/** Names of the state's result in its conditions and in the scripts on its transitions. */
const RESULT_NAMES = ['result', 'outcome', 'failure'];

/** null always holds. A YAML author may write true without quotes. */
export function lowerCondition(text: string | boolean, path: SourcePath, scope: LoweringScope): Expression | null {
  if (text === true) return null;
  if (text === false) return { kind: 'literal', value: false };
  const parsed = parseExpression(text, { names: RESULT_NAMES });
  if (!parsed.ok) {
    reportCode('CONDITION_INVALID', { text, path, parsed }, scope);
    return null;
  }
  const isTrue = parsed.value.kind === 'literal' && parsed.value.value === true;
  return isTrue ? null : parsed.value;
}

/** A script that runs when the state is entered. */
export function lowerScript(text: string, path: SourcePath, scope: LoweringScope): Program | null {
  return readScript(text, { path, scope, names: [] });
}

/** A script on a transition. */
export function lowerBefore(text: string, path: SourcePath, scope: LoweringScope): Program | null {
  return readScript(text, { path, scope, names: RESULT_NAMES });
}

interface CodePlace {
  readonly path: SourcePath;
  readonly scope: LoweringScope;
  readonly names: readonly string[];
}

function readScript(text: string, { path, scope, names }: CodePlace): Program | null {
  const parsed = parseProgram(text, { names });
  if (parsed.ok) return parsed.value;
  reportCode('SCRIPT_INVALID', { text, path, parsed }, scope);
  return null;
}

interface BadCode {
  readonly text: string;
  readonly path: SourcePath;
  readonly parsed: { readonly message: string; readonly offset: number };
}

const WHAT = {
  EXPRESSION_INVALID: 'This is not an expression',
  CONDITION_INVALID: 'This condition cannot be read',
  SCRIPT_INVALID: 'This script cannot be read',
} as const;

function reportCode(code: keyof typeof WHAT, { text, path, parsed }: BadCode, scope: LoweringScope): void {
  const near = text.slice(parsed.offset, parsed.offset + 24);
  const place = near === '' ? 'at its end' : `near ${JSON.stringify(near)}`;
  scope.report.error(code, `${WHAT[code]} (${place}): ${parsed.message}`, {
    path,
    ...(code === 'EXPRESSION_INVALID' ? { hint: FIXED_TEXT } : {}),
  });
}

/** States name an agent by its role. */
export function checkAgent(agent: string, path: SourcePath, scope: LoweringScope): void {
  if (scope.names.agents.has(agent)) return;
  scope.report.error('AGENT_UNKNOWN', `There is no agent with the agent_role "${agent}".`, {
    path,
    hint: nameHint(agent, [...scope.names.agents]),
  });
}
