import type { ProblemCode } from '../../../core/codes/problem-codes.ts';
import { execFile } from 'node:child_process';
import { isFault, type Problem } from '../../../core/model/fault.ts';
import { bareProject, openProject, pathInProject, userConfigFile } from '../../config/project.ts';
import type { Caller } from '../../caller.ts';
import { type CheckedFile, checkFile } from '../check-file.ts';
import type { ProjectView } from '../project-trust.ts';
import { ownWorkflowFiles } from '../workflow-library.ts';
import { foldRecords } from '../../../core/fold/fold.ts';
import { DefinitionStore } from '../../../host/embedded/definition-store.ts';
import type { Journal, RunInfo } from '../../../journal/port.ts';
import { definitionNow, type DefinitionNow } from '../definition-change.ts';
import { withStore } from '../../world/store.ts';
import { parseObject } from '../../../core/model/json.ts';
import { errorCode } from '../../../lib/held-folder.ts';

/** The project as far as it can be opened: with settings that have errors nothing else of it can be judged. */
export async function openWatched(caller: Caller): Promise<OpenedProject> {
  try {
    return { view: { project: await openProject(caller), caller }, broken: null };
  } catch (error) {
    if (!isFault(error)) throw error;
    const problems = error.problems.length > 0 ? error.problems : [problemOf(error.code, error.message)];
    const file = problems.find((problem) => problem.file !== undefined)?.file ?? '.troupe/config.yaml';
    return {
      view: { project: bareProject(caller.folder), caller },
      broken: { file, ok: false, workflows: [], problems },
    };
  }
}

export interface OpenedProject {
  readonly view: ProjectView;
  /** The settings, when they have errors. */
  readonly broken: CheckedFile | null;
}

const problemOf = (code: ProblemCode, message: string): Problem => ({ code, message, severity: 'error' });

/** All of these files as `troupe check` judges them. One that went away meanwhile is left out. */
export async function checkWatched(paths: readonly string[], view: ProjectView): Promise<readonly CheckedFile[]> {
  const { withheld } = await ownWorkflowFiles(view);
  const checked: CheckedFile[] = [];
  for (const path of paths.filter((one) => one !== userConfigFile(view.caller.environment))) {
    const file = pathInProject(path, view.caller.folder);
    const result = withheld.includes(path) ? notTrusted(file) : await checkOne(path, file, view);
    if (result !== null) checked.push(result);
  }
  return checked;
}

const MODULE = /\.[cm]?[jt]s$/i;

async function checkOne(path: string, file: string, view: ProjectView): Promise<CheckedFile | null> {
  if (MODULE.test(path)) return await checkElsewhere(file, view.caller);
  try {
    return await checkFile(file, view);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    if (!isFault(error)) throw error;
    return { file, ok: false, workflows: [], problems: [{ ...problemOf(error.code, error.message), file }] };
  }
}

function notTrusted(file: string): CheckedFile {
  const message = 'It is code that you have not trusted in its present form, so it is not loaded.';
  const problem = { code: 'PROJECT_UNTRUSTED', message, severity: 'warning', file, hint: 'troupe trust' } as const;
  return { file, ok: true, workflows: [], problems: [problem] };
}

/** A process keeps the code it has loaded once, with all that the code imports: only a new one sees what is there now. */
async function checkElsewhere(file: string, { folder, environment }: Caller): Promise<CheckedFile> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const words = [process.argv[1] ?? '', 'check', '--json', '--', file];
  const options = {
    cwd: folder,
    env: environment,
    timeout: 60_000,
    killSignal: 'SIGKILL',
    maxBuffer: 32_000_000,
  } as const;
  execFile(process.execPath, words, options, (_error, stdout) => resolve(stdout));
  const results = parsed(await promise);
  return (
    results?.[0] ?? {
      file,
      ok: false,
      workflows: [],
      problems: [{ ...problemOf('MODULE_FAILED', 'Loading it did not finish.'), file }],
    }
  );
}

function parsed(text: string): readonly CheckedFile[] | null {
  const line = parseObject(text.trim().split('\n').at(-1) ?? '') as { readonly items?: readonly CheckedFile[] } | null;
  return line?.items ?? null;
}

/** A run that is not over, and what its files give now. */
export interface OpenDefinition {
  readonly info: RunInfo;
  readonly now: DefinitionNow;
}

/** More than these are hardly under way at once; the newest count. */
const MOST_RUNS = 200;

/** The runs of the project that are not over, compared with its files; those that began alike are compared once. */
export async function openDefinitions(view: ProjectView): Promise<readonly OpenDefinition[]> {
  return await withStore(view.caller, async ({ journal }) => {
    const all = await journal.runs({ parent: null });
    const open = all.filter(({ status, project }) => status !== 'settled' && project === view.project.root);
    const compared = new Map<string, Promise<DefinitionNow | null>>();
    const found = open.slice(0, MOST_RUNS).map(async (info) => {
      const snapshot = foldRecords(await journal.read(info.run));
      const key = snapshot.definition;
      const now = compared.get(key) ?? compare(journal, snapshot, view);
      compared.set(key, now);
      return { info, now: await now };
    });
    return (await Promise.all(found)).flatMap(({ info, now }) => (now === null ? [] : [{ info, now }]));
  });
}

/** A definition that cannot be read any more is no reason not to watch files. */
async function compare(
  journal: Journal,
  snapshot: ReturnType<typeof foldRecords>,
  view: ProjectView,
): Promise<DefinitionNow | null> {
  try {
    return await definitionNow(await new DefinitionStore(journal).load(snapshot), view, 'none');
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}
