import type { Expression, Program } from '../../core/expression.ts';
import type { Problem } from '../../core/fault.ts';
import type { Workflow } from '../../core/workflow.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { parseProgram } from '../expression/parse-program.ts';
import type { Parsed } from '../expression/parsed.ts';
import { functionProblem, type FunctionPlace } from './function-place.ts';
import { functionText, type FlowFunction } from './function-text.ts';

/** Reads the parts of a workflow that point outside it, code and calls, and keeps what is wrong until all are read. */
export interface CodeReader {
  readonly problems: readonly Problem[];
  expression(code: CodeText, path: string): Expression;
  /** An expression that may be left out. */
  optional(code: CodeText | undefined, path: string): Expression | null;
  script(code: CodeText | undefined, path: string): Program | null;
  /** Notes a workflow that is called by value and gives its name. */
  call(workflow: string | Workflow): string;
  readonly called: readonly Workflow[];
}

/** A text in the language of the files, or a function. */
export type CodeText = string | FlowFunction;

/** Stands in for code that cannot be read; a workflow with it is never given out. */
const UNREADABLE: Expression = { kind: 'undefined' };

/** Names of a state's result, in its conditions and on its transitions. */
const NAMES = { names: ['result', 'outcome', 'failure'] };

/** `place` says where a function stands in the author's file, as far as that can be known. */
export function codeReader(place: FunctionPlace): CodeReader {
  const problems: Problem[] = [];
  const called: Workflow[] = [];
  const read = <T>(parsed: Parsed<T>, path: string): T | null => {
    if (parsed.ok) return parsed.value;
    problems.push({ code: 'EXPRESSION_INVALID', message: parsed.message, severity: 'error', path });
    return null;
  };
  const textOfCode = (code: CodeText, path: string, isScript = false): string | null => {
    if (typeof code === 'string') return code;
    const made = functionText(code);
    if (made.kind !== 'text') problems.push(functionProblem(made, path, place));
    else if (isScript && made.givesObject) problems.push(lostObject(path));
    else return made.text;
    return null;
  };
  const expression: CodeReader['expression'] = (code, path) => {
    const text = textOfCode(code, path);
    return (text === null ? null : read(parseExpression(text, NAMES), path)) ?? UNREADABLE;
  };
  return {
    problems,
    expression,
    optional: (code, path) => (code === undefined ? null : expression(code, path)),
    script: (code, path) => {
      const text = code === undefined ? null : textOfCode(code, path, true);
      return text === null ? null : read(parseProgram(text, NAMES), path);
    },
    call: (workflow) => {
      if (typeof workflow === 'string') return workflow;
      called.push(workflow);
      return workflow.name;
    },
    called,
  };
}

const lostObject = (path: string): Problem => ({
  code: 'EXPRESSION_INVALID',
  message: 'A script changes the data; the object that this one gives back would be lost.',
  severity: 'error',
  path,
  hint: 'Write it as (run) => { run.common_data.NAME = …; }',
});
