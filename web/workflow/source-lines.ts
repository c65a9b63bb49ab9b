import type { PlacedProblem } from '../../src/protocol/web/workflow-page.ts';

export interface SourceLine {
  readonly number: number;
  readonly text: string;
  /** Of this file, at this line. */
  readonly problems: readonly PlacedProblem[];
}

export interface Source {
  readonly lines: readonly SourceLine[];
  /** Those without a place in this text: of another file, or of none. */
  readonly elsewhere: readonly PlacedProblem[];
}

/** A file by its lines, each with what is wrong there. */
export function sourceLines(text: string, file: string | null, problems: readonly PlacedProblem[]): Source {
  const texts = text.split('\n');
  const isHere = (problem: PlacedProblem): boolean =>
    problem.line !== null && problem.line >= 1 && problem.line <= texts.length && isSameFile(problem.file, file);
  const byLine = Map.groupBy(problems.filter(isHere), ({ line }) => line);
  return {
    lines: texts.map((line, index) => ({ number: index + 1, text: line, problems: byLine.get(index + 1) ?? [] })),
    elsewhere: problems.filter((problem) => !isHere(problem)),
  };
}

const isSameFile = (one: string | null, file: string | null): boolean =>
  one === null || file === null || one === file || file.endsWith(`/${one}`) || one.endsWith(`/${file}`);
