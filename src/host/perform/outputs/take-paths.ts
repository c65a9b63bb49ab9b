import type { FaultCode } from '../../../core/codes/codes.ts';
import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import { type Json, parseJson } from '../../../core/model/json.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { plainPath } from '../../../tools/folder-access.ts';
import { findOutput, patternMatcher } from './find-outputs.ts';
import { seeFile } from './seen-file.ts';
import type { OutputTaking, TakenOutput } from './taken-output.ts';

/** Accepts existing files, by their paths. */
export async function takePaths(
  taking: OutputTaking,
  owed: readonly OwedOutput[],
  content: Json,
): Promise<TakenOutput> {
  const paths = pathsOf(content);
  if (paths === null) return { code: 'OUTPUT_INVALID', why: ['Its content must be a list of paths, or one a line.'] };
  const changed = owed.find(({ form }) => form === 'changed');
  if (paths.length === 0 && changed === undefined) return { code: 'OUTPUT_MISSING', why: ['It names no file.'] };
  const problems =
    changed === undefined ? await fileProblems(taking, owed, paths) : await changedProblems(taking, changed, paths);
  const [first] = problems;
  if (first !== undefined) return { code: first.code, why: problems.map(({ why }) => why) };
  const plain = [...new Set(paths.map(plainPath))];
  return { paths: plain, changed: [], summary: `${plain.length} ${plain.length === 1 ? 'file' : 'files'}.` };
}

/** A list, the JSON of one, or lines. */
function pathsOf(content: Json): readonly string[] | null {
  if (typeof content !== 'string') return textsOf(content);
  const list = content.trim().startsWith('[') ? textsOf(parseJson(content, null)) : null;
  return (
    list ??
    content
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  );
}

const textsOf = (list: unknown): readonly string[] | null =>
  Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : null;

interface PathProblem {
  readonly code: FaultCode;
  readonly why: string;
}

async function fileProblems(
  { workspace }: OutputTaking,
  owed: readonly OwedOutput[],
  paths: readonly string[],
): Promise<readonly PathProblem[]> {
  const patterns = owed.flatMap(({ path }) => (path === null ? [] : [path]));
  const fits = patterns.map(patternMatcher);
  const problems: PathProblem[] = [];
  for (const path of paths) {
    const seen = await seeFile(workspace.folder, path);
    if (seen.kind === 'none') {
      problems.push({ code: seen.isOutside ? 'OUTPUT_OUTSIDE' : 'OUTPUT_MISSING', why: seen.why });
    } else if (!fits.some((fit) => fit(seen.path))) {
      problems.push({ code: 'OUTPUT_INVALID', why: `${shownPath(path)} does not fit ${patterns.join(', ')}.` });
    }
  }
  return problems;
}

/** Unchanged files are not this turn's work. A deleted file did change. */
async function changedProblems(
  taking: OutputTaking,
  owed: OwedOutput,
  paths: readonly string[],
): Promise<readonly PathProblem[]> {
  const { context, workspace } = taking;
  const { world, snapshot } = context;
  if (owed.since === undefined || !world.workspaces.keepsFiles) return await fileProblems(taking, [ANYTHING], paths);
  const store = await world.workspaces.store(snapshot.project);
  const ground = {
    folder: workspace.folder,
    files: new Map<string, unknown>(),
    changes: await store.compare(owed.since, await workspace.record()),
    isMerged: false,
    declared: () => paths,
    isClaimed: () => false,
  };
  const found = await findOutput(owed, ground);
  return 'files' in found ? [] : found;
}

const ANYTHING: OwedOutput = { name: '', form: 'files', path: '**', type: 'data' };
