import { plainPath } from '../../../tools/folder-access.ts';
import { PathRefused, shownPath, splitPath } from '../../../lib/confined-path.ts';
import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import { type BytePath, toWritten } from '../../../workspace/byte-path.ts';
import { GlobInvalid, globMatcher } from '../../../tools/glob.ts';
import type { TreeChange } from '../../../workspace/store/port.ts';
import type { OutputProblem } from './output-problem.ts';
import { seeFile, type SeenFile } from './seen-file.ts';

/** The files of one output. */
export interface FoundOutput {
  readonly owed: OwedOutput;
  readonly files: readonly FoundFile[];
}

export type FoundFile = Omit<Extract<SeenFile, { kind: 'file' }>, 'kind'>;

/** Where outputs are looked for. */
export interface Ground {
  readonly folder: string;
  /** The files that no rule ignores. */
  readonly files: ReadonlyMap<BytePath, unknown>;
  /** The changes of the phase. */
  readonly changes: readonly TreeChange[];
  /** It is merged later, and a merge takes only files that no rule ignores. */
  readonly isMerged: boolean;
  /** The paths the agent named as an output with `submit_output`; undefined if it named none. */
  readonly declared: (name: string) => readonly string[] | undefined;
  /** The file is another output of the phase, such as its report. */
  readonly isClaimed: (path: BytePath) => boolean;
}

/** More would fill the journal with lists too long to read. */
const MOST_FILES = 1000;

/** Finds what a phase owes, or says why it is missing. */
export async function findOutput(owed: OwedOutput, ground: Ground): Promise<FoundOutput | readonly OutputProblem[]> {
  const sought = pathsOf(owed, ground);
  if ('problems' in sought) return sought.problems;
  if (sought.paths.length > MOST_FILES) {
    const why = `There are ${sought.paths.length} files; at most ${MOST_FILES} are taken.`;
    return [{ code: 'OUTPUT_TOO_MANY', name: owed.name, path: owed.path, why }];
  }
  const files: FoundFile[] = [];
  const problems: OutputProblem[] = [];
  for (const path of sought.paths) {
    const seen = await seeFile(ground.folder, path);
    const problem = problemOf(owed, path, { seen, ground });
    if (problem !== null) problems.push(problem);
    else if (seen.kind === 'file') files.push(seen);
  }
  return problems.length > 0 ? problems : { owed, files };
}

type SoughtPaths = { readonly paths: readonly string[] } | { readonly problems: readonly OutputProblem[] };

function pathsOf(owed: OwedOutput, ground: Ground): SoughtPaths {
  if (owed.form === 'changed') return changedPaths(owed, ground);
  const { path } = owed;
  if (path === null) return refused(owed, 'It has no path.');
  return owed.form === 'file' ? { paths: [path] } : matchingPaths(owed, path, ground);
}

function problemOf(
  { name }: OwedOutput,
  path: string,
  { seen, ground }: { readonly seen: SeenFile; readonly ground: Ground },
): OutputProblem | null {
  if (seen.kind === 'none') return { code: codeOf(seen.isOutside), name, path, why: seen.why };
  if (!ground.isMerged || ground.files.has(toBytes(seen.path))) return null;
  const why = `${shownPath(path)} is there, but the project's ignore rules leave it out, so no merge would bring it home. Write it to a path that is not ignored.`;
  return { code: 'OUTPUT_MISSING', name, path, why };
}

const codeOf = (isOutside: boolean): OutputProblem['code'] => (isOutside ? 'OUTPUT_OUTSIDE' : 'OUTPUT_MISSING');

const toBytes = (path: string): BytePath => Buffer.from(path, 'utf8').toString('latin1');

function refused({ name, path }: OwedOutput, why: string, isOutside = false): SoughtPaths {
  return { problems: [{ code: codeOf(isOutside), name, path, why }] };
}

/** The files a pattern names, and those in folders it names: `pages/*` is everything in `pages`. */
function matchingPaths(owed: OwedOutput, pattern: string, { files }: Ground): SoughtPaths {
  try {
    const fits = patternMatcher(pattern);
    return named(
      owed,
      [...files.keys()].filter((path) => fits(Buffer.from(path, 'latin1').toString('utf8'))),
      `No file fits ${shownPath(pattern)}.`,
    );
  } catch (error) {
    if (error instanceof GlobInvalid) return refused(owed, `${shownPath(pattern)} cannot be used: ${error.message}`);
    if (error instanceof PathRefused) return refused(owed, error.message, true);
    throw error;
  }
}

/** Throws `GlobInvalid` or `PathRefused` if the pattern cannot be used. */
export function patternMatcher(pattern: string): (path: string) => boolean {
  const plain = splitPath(pattern).join('/');
  const matches = globMatcher(plain);
  return (path) => path === plain || path.startsWith(`${plain}/`) || prefixes(path).some(matches);
}

/** `a`, `a/b`, `a/b/c`. */
function prefixes(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

/** Paths as text; a name that is not valid text cannot be reported. */
function named(owed: OwedOutput, paths: readonly BytePath[], none: string | null): SoughtPaths {
  if (paths.length === 0 && none !== null) return refused(owed, none);
  const written = paths.map((path) => [path, toWritten(path)] as const);
  const problems = written.flatMap(([path, text]): readonly OutputProblem[] => {
    if (typeof text === 'string') return [];
    const shown = shownPath(Buffer.from(path, 'latin1'));
    return [{ code: 'OUTPUT_MISSING', name: owed.name, path: shown, why: `The name ${shown} is not UTF-8 text.` }];
  });
  if (problems.length > 0) return { problems };
  return { paths: written.flatMap(([, text]) => (typeof text === 'string' ? [text] : [])) };
}

/** Changed files that are no other output; if the agent declared some, only those. */
function changedPaths(owed: OwedOutput, { changes, declared, isClaimed }: Ground): SoughtPaths {
  const unchanged = owed.path === null ? null : unchangedPath(owed.path, changes);
  if (unchanged !== null) return refused(owed, unchanged);
  const present = changes.filter(({ after }) => after?.kind === 'file').map(({ path }) => path);
  const list = declared(owed.name);
  if (list === undefined)
    return named(
      owed,
      present.filter((path) => !isClaimed(path)),
      null,
    );
  const chosen = new Set<BytePath>();
  const problems: OutputProblem[] = [];
  for (const path of list) {
    const plain = plainOrWhy(path);
    if ('why' in plain) problems.push({ code: 'OUTPUT_OUTSIDE', name: owed.name, path, why: plain.why });
    else if (!choose(changes, toBytes(plain.path), chosen)) {
      const why = `${shownPath(path)} was declared as changed, and it is as it was when the phase began, or does not exist.`;
      problems.push({ code: 'OUTPUT_MISSING', name: owed.name, path, why });
    }
  }
  return problems.length > 0
    ? { problems }
    : named(
        owed,
        present.filter((path) => chosen.has(path)),
        null,
      );
}

/** Why a file that had to be changed was not; null if it was. */
function unchangedPath(path: string, changes: readonly TreeChange[]): string | null {
  const plain = plainOrWhy(path);
  if ('why' in plain) return plain.why;
  if (choose(changes, toBytes(plain.path), new Set())) return null;
  return `${shownPath(plain.path)} was to be changed, and it is as it was when the phase began.`;
}

/** A changed file, or a folder with changed files; a deleted file was changed too. */
function choose(changes: readonly TreeChange[], path: BytePath, chosen: Set<BytePath>): boolean {
  const meant = changes.filter((change) => change.path === path || change.path.startsWith(`${path}/`));
  for (const change of meant) chosen.add(change.path);
  return meant.length > 0;
}

function plainOrWhy(path: string): { readonly path: string } | { readonly why: string } {
  try {
    return { path: plainPath(path) };
  } catch (error) {
    if (error instanceof PathRefused) return { why: error.message };
    throw error;
  }
}
