import type { Drawing } from '../../core/model/drawing.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { draftDefinition } from '../../formats/definition.ts';
import { draftOf, hasErrors } from '../../source/checked.ts';
import { readSourceFile } from '../../source/read-source-file.ts';
import type { CheckedSource, PlacedProblem, WorkflowLine, WorkflowPage } from '../../protocol/web/workflow-page.ts';
import type { CheckRequest } from '../../protocol/operations/project.ts';
import {
  inputFields,
  listedWorkflows,
  placedProblems,
  placeOf,
  refuseCode,
  rolePages,
  type WorkflowPlace,
} from './workflow-place.ts';
import { openProject, pathInProject } from '../config/project.ts';
import { checkWorkflowFile } from './check-file.ts';
import { definitionInFile, findWorkflow } from './find-workflow.ts';
import { readProjectRoles } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { loadFile, loadLibrary } from './workflow-library.ts';
import type { Caller } from '../caller.ts';
import { runDrawing } from './run-drawing.ts';

/** The data of workflow pages: the same as `workflows`, `check`, `graph` and `prompt show` print. */
export interface WorkflowPages {
  workflows(project: string): Promise<readonly WorkflowLine[]>;
  /** By name, or by a file in the project. WORKFLOW_UNKNOWN where there is none; a broken one comes with its problems. */
  workflow(name: string, project: string): Promise<FoundWorkflowPage>;
  /** How the author of a workflow of this definition thinks of it, as far as that can be known now. */
  drawing(workflow: Workflow, definition: Definition, project: string): Promise<Drawing>;
  /** All that is wrong with a file of the project, or with a text as if it were one. */
  check(source: CheckRequest, project: string): Promise<CheckedSource>;
}

export interface FoundWorkflowPage {
  readonly page: Omit<WorkflowPage, 'graph'>;
  /** The drawable part, also if the file has errors; null if there is none. */
  readonly definition: Definition | null;
}

export function workflowPages(caller: Caller): WorkflowPages {
  const viewOf = async (folder: string): Promise<ProjectView> => {
    const here = { ...caller, folder };
    return { project: await openProject(here), caller: here };
  };
  return {
    workflows: async (project) => await listed(await viewOf(project)),
    workflow: async (name, project) => await found(name, await viewOf(project)),
    drawing: async (workflow, definition, project) =>
      await runDrawing(workflow, definition, { project, open: async () => await viewOf(project) }),
    check: async (source, project) => await check(source, await viewOf(project)),
  };
}

async function listed(view: ProjectView): Promise<readonly WorkflowLine[]> {
  const library = await loadLibrary(view);
  const byName = new Map([...library.shipped, ...library.own].map((workflow) => [workflow.name, workflow]));
  return listedWorkflows(library).map((line) => ({
    ...line,
    inputs: inputFields(byName.get(line.name) ?? null, null),
  }));
}

async function found(name: string, view: ProjectView): Promise<FoundWorkflowPage> {
  const place = await placeOf(name, view);
  if (place.path === null) return await unwritten(place, view);
  const text = await readSourceFile(place.path, { file: pathInProject(place.path, view.caller.folder) });
  if (!text.ok) return broken(place, null, text.problems);
  const refusal = await refuseCode(place.path, view);
  if (refusal !== null) return broken(place, text.value, [refusal]);
  return await written({ ...place, path: place.path, text: text.value }, view);
}

/** One that is in no file: it is made by the program itself. */
async function unwritten(place: WorkflowPlace, view: ProjectView): Promise<FoundWorkflowPage> {
  const { workflow, definition, warnings } = await findWorkflow(place.name ?? '', view);
  const page = {
    ...headOf(place, workflow),
    inputs: inputFields(workflow, null),
    text: null,
    workflow,
    problems: placedProblems(warnings, workflow),
    roles: await rolePages(definition, view),
  };
  return { page, definition };
}

interface Written extends WorkflowPlace {
  readonly path: string;
  readonly text: string;
}

/** Also shows the readable part of a file with errors, since users look for them there. */
async function written(place: Written, view: ProjectView): Promise<FoundWorkflowPage> {
  const { path, text, name } = place;
  const [loaded, { problems }] = await Promise.all([loadFile(path, view), checkWorkflowFile(path, view)]);
  const inFile = draftOf(loaded) ?? [];
  const workflow = inFile.find((one) => one.name === name) ?? inFile[0];
  if (workflow === undefined) return broken(place, text, problems);
  const definition = await definitionOf(workflow, inFile, { path, view });
  const page = {
    ...headOf(place, workflow),
    inputs: inputFields(workflow, text),
    text,
    workflow,
    problems: placedProblems(problems, workflow),
    roles: await rolePages(definition, view),
  };
  return { page, definition };
}

async function definitionOf(
  workflow: Workflow,
  inFile: readonly Workflow[],
  { path, view }: { readonly path: string; readonly view: ProjectView },
): Promise<Definition> {
  const { roles } = await readProjectRoles(view, path);
  const built = await definitionInFile(workflow.name, inFile, { path, view, roles, build: draftDefinition });
  const others = inFile.filter(({ name }) => name !== workflow.name).map((one) => [one.name, one] as const);
  return built.ok ? built.value : { workflow, library: Object.fromEntries(others), roles: {} };
}

function headOf({ name, path, origin }: WorkflowPlace, workflow: Workflow | null) {
  return {
    name: workflow?.name ?? name ?? (path === null ? '' : basename(path)),
    description: workflow?.description ?? '',
    origin,
    file: path,
  };
}

function broken(
  place: WorkflowPlace,
  text: string | null,
  problems: Parameters<typeof placedProblems>[0],
): FoundWorkflowPage {
  const parts = { inputs: [], text, workflow: null, roles: [], problems: placedProblems(problems, null) };
  return { page: { ...headOf(place, null), ...parts }, definition: null };
}

async function check(source: CheckRequest, view: ProjectView): Promise<CheckedSource> {
  const { file, text = '', name: named = '' } = source;
  if (file !== undefined) {
    const { path } = await placeOf(file, view);
    const refusal = path === null ? null : await refuseCode(path, view);
    if (refusal !== null) return { kind: 'check', ok: false, workflows: [], problems: placedProblems([refusal], null) };
    return await checkAt(path ?? file, view);
  }
  const folder = await mkdtemp(join(tmpdir(), 'troupe-check-'));
  try {
    const name = /^[\w.-]+\.(?:json|ya?ml)$/i.test(named) ? named : 'workflow.yaml';
    await writeFile(join(folder, name), text);
    const result = await checkAt(join(folder, name), view);
    return { ...result, problems: result.problems.map((problem) => asText(problem, folder)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A text that was only sent has no file. */
function asText(problem: PlacedProblem, folder: string): PlacedProblem {
  const isIts = problem.file !== null && problem.file.includes(basename(folder));
  const path = new RegExp(`[^\\s,]*${basename(folder)}`, 'g');
  const hint = problem.hint === null ? null : problem.hint.replace(path, '.');
  return { ...problem, hint, file: isIts ? null : problem.file };
}

async function checkAt(path: string, view: ProjectView): Promise<CheckedSource> {
  const [{ workflows, problems }, loaded] = await Promise.all([checkWorkflowFile(path, view), loadFile(path, view)]);
  const [first = null] = draftOf(loaded) ?? [];
  return { kind: 'check', ok: !hasErrors(problems), workflows, problems: placedProblems(problems, first) };
}
