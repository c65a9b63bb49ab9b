import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Fault, isFault } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { codeHash } from '../../workspace/reached-files.ts';
import { type DefinitionChange, definitionDiff } from './definition-diff.ts';
import { findWorkflow } from './find-workflow.ts';
import { isTrusted, type ProjectView } from './project-trust.ts';
import { roleFiles } from './project-roles.ts';
import { withChosen } from './wanted-definition.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import { rootRunId, type RunId } from '../../core/model/ids.ts';
import { DefinitionStore } from '../../host/embedded/definition-store.ts';
import type { DefinitionView } from '../../protocol/definition-view.ts';
import { openProject } from '../config/project.ts';
import type { Caller } from '../caller.ts';
import type { Store } from '../world/store.ts';

/** The definition in a run's files now, compared with the one it began with (ST5). */
export interface DefinitionNow {
  /**
   * `same`: it would begin with the same again. `gone`: its file is not there any more. `broken`: no definition comes of it.
   * `unread`: the code has changed, and running it was not requested.
   */
  readonly state: 'same' | 'changed' | 'gone' | 'broken' | 'unread';
  /** The workflow's own file. */
  readonly file: string | null;
  /** A program defined it: no file has it. */
  readonly isCode?: true;
  /** The files that made the difference, as far as they are known. */
  readonly files: readonly string[];
  readonly changes: readonly DefinitionChange[];
  /** The definition that a new run would have. */
  readonly definition?: Definition;
  readonly fault?: Fault;
}

/** Importing a module runs it: `none` at all, one that is `known` because it is what the run began with, or `any`. */
export type Loads = 'none' | 'known' | 'any';

export async function definitionNow(started: Definition, view: ProjectView, loads: Loads): Promise<DefinitionNow> {
  const file = fileOf(started, view);
  const none = { file, files: file === null ? [] : [file], changes: [] };
  const state = file === null ? 'read' : await fileState(file, { workflow: started.workflow, view, loads });
  if (state === 'shipped') return await compared(started, { view, file: null });
  return state === 'read' ? await compared(started, { view, file }) : { ...none, state };
}

async function compared(started: Definition, { view, file }: Place): Promise<DefinitionNow> {
  const { name } = started.workflow;
  const none = { file, files: file === null ? [] : [file], changes: [] };
  try {
    const definition = await definitionFrom(file === null ? name : `${file}#${name}`, started, view);
    const changes = definitionDiff(started, definition);
    if (changes.length === 0) return { ...none, state: 'same', files: [] };
    const files = await filesOf(changes, { started, definition, view, file });
    return { file, state: 'changed', files, changes, definition };
  } catch (error) {
    if (!isFault(error)) throw error;
    const isCode = started.workflow.file === undefined && error.code === 'WORKFLOW_UNKNOWN';
    if (isCode) return { ...none, state: 'same', isCode };
    return { ...none, files: brokenFiles(error, view) ?? none.files, state: 'broken', fault: error };
  }
}

interface Place {
  readonly view: ProjectView;
  /** Null: it is found by its name. */
  readonly file: string | null;
}

/** Files are named from the project's root, wherever this is asked: then the definition is the same each time. */
async function definitionFrom(text: string, { chosen = {} }: Definition, view: ProjectView): Promise<Definition> {
  const from = { ...view, caller: { ...view.caller, folder: view.project.root } };
  const { folder: _folder, ...said } = chosen;
  return withChosen((await findWorkflow(text, from)).definition, view.project.config, said);
}

const MODULE = /\.[cm]?[jt]s$/i;

/** The installation may have moved; shipped workflows keep their name. */
const isShipped = (file: string): boolean => /[/\\]assets[/\\]workflows[/\\][^/\\]+$/.test(file);

/** Where the run's workflow was read from. It was named from the folder in which the run was started. */
function fileOf({ workflow, chosen }: Definition, { project }: ProjectView): string | null {
  return workflow.file === undefined ? null : resolve(chosen?.folder ?? project.root, workflow.file);
}

interface Reading {
  readonly workflow: Workflow;
  readonly view: ProjectView;
  readonly loads: Loads;
}

type FileState = 'read' | 'shipped' | 'same' | 'gone' | 'unread';

async function fileState(file: string, reading: Reading): Promise<FileState> {
  if (!existsSync(file)) return isShipped(file) ? 'shipped' : 'gone';
  return !MODULE.test(file) || reading.loads === 'any' ? 'read' : await codeState(file, reading);
}

async function codeState(file: string, { workflow: { code }, view, loads }: Reading): Promise<FileState> {
  // Runs from before the hash existed do not say what they began with.
  if (code === undefined) return 'same';
  if (codeHash(file).hash === code) return loads === 'known' ? 'read' : 'same';
  const isOwn = file.startsWith(join(view.project.folder, 'workflows'));
  return loads === 'known' && isOwn && (await isTrusted(view)) ? 'read' : 'unread';
}

interface Compared {
  readonly started: Definition;
  readonly definition: Definition;
  readonly view: ProjectView;
  readonly file: string | null;
}

async function filesOf(changes: readonly DefinitionChange[], compared: Compared): Promise<readonly string[]> {
  const files = await Promise.all(changes.map((change) => filesOfChange(change, compared)));
  return [...new Set(files.flat())];
}

/** The changed files, as far as they can be determined. */
async function filesOfChange({ of, name }: DefinitionChange, all: Compared): Promise<readonly string[]> {
  const { started, definition, view, file } = all;
  if (of === 'settings') return view.project.configFiles;
  if (of === 'role') return await roleFiles(name, view.project, [started, definition]);
  if (name !== definition.workflow.name) return filesBelow(name, all);
  return file === null ? [] : [file];
}

/** Of a workflow that is called: where it is now, or was. */
function filesBelow(name: string, { started, definition, view }: Compared): readonly string[] {
  const { root } = view.project;
  const [now, then] = [definition.library[name]?.file, started.library[name]?.file];
  if (now !== undefined) return [resolve(root, now)];
  return then === undefined ? [] : [resolve(started.chosen?.folder ?? root, then)];
}

function brokenFiles({ problems }: Fault, { project }: ProjectView): readonly string[] | undefined {
  const named = problems.flatMap(({ file }) => (file === undefined ? [] : [resolve(project.root, file)]));
  return named.length === 0 ? undefined : [...new Set(named)];
}

/** One line for each changed part, and for each error. */
export function definitionChangeLines({ changes, fault }: DefinitionNow): readonly string[] {
  if (fault === undefined) return changes.map(changeLine);
  return fault.problems.length === 0 ? [`${fault.code}: ${fault.message}`] : fault.problems.map(problemText);
}

const MOST = 8;

function changeLine({ of, name, how, what }: DefinitionChange): string {
  const subject = of === 'settings' ? `setting ${name}` : subjectOf(of, name);
  if (what.length === 0) return `${subject} ${how}`;
  const more = what.length > MOST ? `, and ${what.length - MOST} more` : '';
  return `${subject}: ${what.slice(0, MOST).join(', ')}${more}`;
}

/** Names the workflow of a phase or a stage by its parent workflow and its own name. */
function subjectOf(of: DefinitionChange['of'], name: string): string {
  const cut = name.lastIndexOf('/');
  return of === 'workflow' && cut > 0
    ? `"${name.slice(cut + 1)}" of workflow "${name.slice(0, cut)}"`
    : `${of} "${name}"`;
}

/** Which definition a run has, and whether its files give another one now. Whatever cannot be read is no reason not to show it. */
export async function definitionView({ journal }: Store, run: RunId, caller: Caller): Promise<DefinitionView> {
  const records = await journal.read(rootRunId(run));
  const snapshot = foldRecords(records);
  const since = records.findLast(({ fact }) => fact.kind === 'run.redefined')?.seq;
  const view = { hash: snapshot.definition, ...(since === undefined ? {} : { since }) };
  if (!existsSync(snapshot.project)) return { ...view, state: 'gone' };
  try {
    const started = await new DefinitionStore(journal).load(snapshot);
    const project = await openProject({ ...caller, folder: snapshot.project });
    return { ...view, ...viewOf(await definitionNow(started, { project, caller }, 'none')) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { ...view, state: 'broken', changes: [`${error.code}: ${error.message}`] };
  }
}

function viewOf(now: DefinitionNow): Omit<DefinitionView, 'hash'> {
  const { state, file, files, isCode } = now;
  const changes = definitionChangeLines(now);
  return {
    state,
    ...(file === null ? {} : { file }),
    ...(isCode === undefined ? {} : { isCode }),
    ...(state === 'same' || files.length === 0 ? {} : { files }),
    ...(changes.length === 0 ? {} : { changes }),
  };
}
