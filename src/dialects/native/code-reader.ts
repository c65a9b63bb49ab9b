import type { Expression, Program } from '../../core/expression.ts';
import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { parseProgram } from '../expression/parse-program.ts';
import type { Parsed } from '../expression/parsed.ts';

/** Reads the parts of a workflow that point outside it, code and calls, and keeps what is wrong until all are read. */
export interface CodeReader {
  readonly problems: readonly Problem[];
  expression(text: string, path: string): Expression;
  /** An expression that may be left out. */
  optional(text: string | undefined, path: string): Expression | null;
  script(text: string | undefined, path: string): Program | null;
  /** Notes a workflow that is called by value and gives its name. */
  call(workflow: string | Workflow): string;
  readonly called: readonly Workflow[];
}

/** Stands in for code that cannot be read; a workflow with it is never given out. */
const UNREADABLE: Expression = { kind: 'undefined' };

/** Names of a state's result, in its conditions and on its transitions. */
const NAMES = { names: ['result', 'outcome', 'failure'] };

export function codeReader(): CodeReader {
  const problems: Problem[] = [];
  const called: Workflow[] = [];
  const read = <T>(parsed: Parsed<T>, path: string): T | null => {
    if (parsed.ok) return parsed.value;
    problems.push({ code: 'EXPRESSION_INVALID', message: parsed.message, severity: 'error', path });
    return null;
  };
  const expression: CodeReader['expression'] = (text, path) => read(parseExpression(text, NAMES), path) ?? UNREADABLE;
  return {
    problems,
    expression,
    optional: (text, path) => (text === undefined ? null : expression(text, path)),
    script: (text, path) => (text === undefined ? null : read(parseProgram(text, NAMES), path)),
    call: (workflow) => {
      if (typeof workflow === 'string') return workflow;
      called.push(workflow);
      return workflow.name;
    },
    called,
  };
}
