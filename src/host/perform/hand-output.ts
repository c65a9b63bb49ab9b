import type { OutputHanded, OwedOutput } from '../../core/artifact-fact.ts';
import type { TaskId } from '../../core/ids.ts';
import type { Json } from '../../core/json.ts';
import { PathRefused, shownPath } from '../../lib/confined-path.ts';
import { refused } from '../../tools/define-tool.ts';
import { plainPath, writeInFolder } from '../../tools/folder-access.ts';
import type { OutputService, ToolResult } from '../../tools/port.ts';
import type { Workspace } from '../../workspace/port.ts';
import type { Performance } from './performance.ts';
import { textProblems } from './programs/check-content.ts';
import { findOutput, patternMatcher } from './programs/find-outputs.ts';
import { leavesWorkspace, seeFile } from './programs/seen-file.ts';

export interface OutputTaking {
  readonly performance: Pick<Performance, 'world' | 'snapshot'>;
  readonly task: TaskId;
  /** All that the turn was to deliver. */
  readonly outputs: readonly OwedOutput[];
  /** Nobody but whoever hands in changes its files meanwhile. */
  readonly workspace: Workspace;
  readonly note: (fact: OutputHanded) => void;
}

/**
 * Takes what an agent hands in (PH4): a text is checked and written by the engine, paths are looked at where they are. What
 * will not do changes nothing and is told. Handed in again it replaces what was there, so it is safe to repeat.
 */
export function outputService(taking: OutputTaking): OutputService {
  return {
    hand: async (name, content) => {
      const owed = taking.outputs.filter((one) => one.name === name);
      const [first] = owed;
      if (first === undefined) return refused(`You do not owe ${JSON.stringify(name)}.`);
      const taken =
        first.form === 'file' ? await takeText(taking, first, content) : await takePaths(taking, owed, content);
      if ('why' in taken) return refused(sentBack(name, taken.why), taken.code);
      const { paths, told, changed } = taken;
      taking.note({ kind: 'output.handed', task: taking.task, name, paths });
      return { content: `${told} Handing it in again replaces it.`, isError: false, changed } satisfies ToolResult;
    },
  };
}

type Taken =
  | { readonly paths: readonly string[]; readonly changed: readonly string[]; readonly told: string }
  | { readonly why: readonly string[]; readonly code: string };

const sentBack = (name: string, why: readonly string[]): string =>
  [`${name} was not taken:`, ...why.slice(0, MOST_TOLD).map((one) => `- ${one}`), 'Mend it and hand it in again.'].join(
    '\n',
  );

const MOST_TOLD = 30;
const MOST_BYTES = 10 * 1024 * 1024;

async function takeText({ workspace }: OutputTaking, owed: OwedOutput, content: Json): Promise<Taken> {
  const path = owed.path ?? '';
  const text = textOf(content, path);
  if (text === null) return { why: ['Its content must be text: the whole text of the file.'], code: 'OUTPUT_INVALID' };
  const why = textProblems(text, { path, type: owed.type });
  if (why.length > 0) return { why, code: owed.type === 'plan' ? 'PLAN_INVALID' : 'REPORT_INVALID' };
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) {
    return { why: [`It has ${bytes} bytes; at most ${MOST_BYTES} are written.`], code: 'OUTPUT_INVALID' };
  }
  try {
    const { created } = await writeInFolder(workspace.folder, path, text);
    const paths = [plainPath(path)];
    const told = `${owed.name} is handed in: ${created ? 'wrote' : 'replaced'} ${shownPath(path)} (${bytes} bytes).`;
    return { paths, changed: paths, told };
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return { why: [error.message], code: leavesWorkspace(error) ? 'OUTPUT_OUTSIDE' : 'OUTPUT_INVALID' };
  }
}

/** Some models give JSON as what it is, not as its text. */
function textOf(content: Json, path: string): string | null {
  if (typeof content === 'string') return content;
  return /\.json$/i.test(path) ? `${JSON.stringify(content, null, 2)}\n` : null;
}

async function takePaths(taking: OutputTaking, owed: readonly OwedOutput[], content: Json): Promise<Taken> {
  const paths = pathsOf(content);
  if (paths === null) return { why: ['Its content must be a list of paths, or one a line.'], code: 'OUTPUT_INVALID' };
  const isChanged = owed[0]?.form === 'changed';
  if (paths.length === 0 && !isChanged) return { why: ['It names no file.'], code: 'OUTPUT_MISSING' };
  const why = isChanged ? await changedProblems(taking, owed, paths) : await fileProblems(taking, owed, paths);
  if (why.length > 0) return { why: why.map((one) => one.why), code: why[0]?.code ?? 'OUTPUT_MISSING' };
  const plain = [...new Set(paths.map(plainPath))];
  const told = `${owed[0]?.name} is handed in: ${plain.length} ${plain.length === 1 ? 'file' : 'files'}.`;
  return { paths: plain, changed: [], told };
}

/** A list, the JSON of one, or lines. */
function pathsOf(content: Json): readonly string[] | null {
  if (typeof content === 'string') {
    const list = content.trim().startsWith('[') ? parsedList(content) : null;
    return (
      list ??
      content
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
    );
  }
  return Array.isArray(content) && content.every((one) => typeof one === 'string') ? (content as string[]) : null;
}

function parsedList(text: string): readonly string[] | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((one) => typeof one === 'string') ? (parsed as string[]) : null;
  } catch {
    return null;
  }
}

interface PathProblem {
  readonly code: string;
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
    if (seen.kind === 'none')
      problems.push({ code: seen.isOutside ? 'OUTPUT_OUTSIDE' : 'OUTPUT_MISSING', why: seen.why });
    else if (!fits.some((fit) => fit(seen.path)))
      problems.push({ code: 'OUTPUT_INVALID', why: `${shownPath(path)} does not fit ${patterns.join(', ')}.` });
  }
  return problems;
}

/** What did not change is not this turn's work. One that was deleted did change. */
async function changedProblems(
  taking: OutputTaking,
  owed: readonly OwedOutput[],
  paths: readonly string[],
): Promise<readonly PathProblem[]> {
  const { performance, workspace } = taking;
  const { world, snapshot } = performance;
  const [first] = owed;
  if (first?.since === undefined || !world.workspaces.keepsFiles) return await fileProblems(taking, [ANYTHING], paths);
  const store = await world.workspaces.store(snapshot.project);
  const changes = await store.compare(first.since, await workspace.record());
  const ground = {
    folder: workspace.folder,
    files: new Map<string, unknown>(),
    changes,
    isMerged: false,
    declared: () => paths,
    isClaimed: () => false,
  };
  const found = await findOutput(first, ground);
  return 'files' in found ? [] : found;
}

const ANYTHING: OwedOutput = { name: '', form: 'files', path: '**', type: 'data' };
