import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Position, Problem } from '../../core/fault.ts';
import type { FunctionText } from './function-text.ts';

type ClosesOver = Extract<FunctionText, { readonly kind: 'closes-over' }>;

/** Finds where a function uses a variable from outside. */
export type FunctionPlace = (found: ClosesOver) => { readonly file: string; readonly at: Position } | null;

/** The file that called `defined` usually holds the function; where it does not, the call is as near as can be known. */
export function placesFrom(defined: (spec: never) => unknown): FunctionPlace {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, defined);
  return (found) => {
    const call = /\(?((?:file:\/\/)?\/[^():]*):(\d+):(\d+)\)?\s*$/m.exec(trace.stack ?? '');
    if (call === null) return null;
    const [, where = '', line = '1', column = '1'] = call;
    const file = where.startsWith('file:') ? fileURLToPath(where) : where;
    const called = { line: Number(line), column: Number(column) };
    return { file, at: placeIn(readText(file), found, called.line) ?? called };
  };
}

/** A compiler may have rewritten the function: then the first use of the name after the call is taken. */
function placeIn(text: string, { source, offset, name }: ClosesOver, from: number): Position | null {
  const start = text.indexOf(source);
  if (start !== -1) {
    const before = text.slice(0, start + offset).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  }
  const uses = new RegExp(`(?<![\\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\\w$])`);
  const lines = text.split('\n');
  const line = lines.findIndex((one, at) => at + 1 >= from && uses.test(one));
  return line === -1 ? null : { line: line + 1, column: (lines[line]?.search(uses) ?? 0) + 1 };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function functionProblem(
  found: Exclude<FunctionText, { readonly kind: 'text' }>,
  path: string,
  place: FunctionPlace,
): Problem {
  if (found.kind === 'unreadable') return { code: 'EXPRESSION_INVALID', message: found.why, severity: 'error', path };
  const { name } = found;
  return {
    code: 'FUNCTION_CLOSES_OVER',
    message: `The function uses \`${name}\` from outside. It is stored with the run and evaluated elsewhere, where \`${name}\` does not exist.`,
    severity: 'error',
    path,
    ...place(found),
    hint: `Put the value into the input or the data of the workflow and read it as run.common_data.${name}, or write it into the function.`,
  };
}
