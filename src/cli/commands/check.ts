import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Problem } from '../../core/fault.ts';
import type { Definition } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import type { Checked } from '../../dialects/source/checked.ts';
import type { Invocation } from '../command-spec.ts';
import type { Config } from '../config/config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { openProject, pathsBase } from '../config/project.ts';
import { EXIT } from '../exit-code.ts';
import { flag, words } from '../invocation.ts';
import { checkActors } from '../session/check-actors.ts';
import { checkResources } from '../session/check-resources.ts';
import { definitionInFile } from '../session/find-workflow.ts';
import type { ProjectView } from '../session/project-trust.ts';
import { loadFile, loadProjectRoles } from '../session/workflow-library.ts';
import { problemText } from '../terminal/fault-text.ts';
import { plainText } from '../terminal/plain-text.ts';

interface CheckedFile {
  readonly file: string;
  readonly ok: boolean;
  readonly workflows: readonly string[];
  readonly problems: readonly Problem[];
}

/** `troupe check FILE…`: every problem of every file, in the author's words, with its line. */
export async function checkCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const files = words(invocation, 0);
  const view: ProjectView = { project: await openProject(terminal), terminal };
  const results: CheckedFile[] = [];
  for (const file of files) results.push(await checkFile(file, view));
  if (flag(invocation, 'json')) terminal.stdout.write(`${JSON.stringify(results)}\n`);
  else for (const result of results) terminal.stdout.write(`${plainText(resultText(result))}\n`);
  return results.every((result) => result.ok) ? EXIT.ok : EXIT.usage;
}

async function checkFile(file: string, view: ProjectView): Promise<CheckedFile> {
  const path = resolve(view.terminal.folder, file);
  if (isConfig(path)) {
    return resultOf(file, [], problemsOf(parseConfig(readFileSync(path, 'utf8'), { file, folder: pathsBase(path) })));
  }
  const loaded = await loadFile(path, view);
  const workflows = loaded.ok ? loaded.value : [];
  const deeper = [
    ...(await checkDefinitions(workflows, path, view)),
    ...checkResources(workflows, view.project.config.workspaces.resources ?? {}),
  ];
  return resultOf(
    file,
    workflows.map((workflow) => workflow.name),
    [...problemsOf(loaded), ...deeper],
  );
}

const isConfig = (path: string): boolean =>
  /^config\.(ya?ml|json)$/.test(basename(path)) && basename(dirname(path)) === '.troupe';

/** Calls and roles reach beyond the file. */
async function checkDefinitions(
  workflows: readonly Workflow[],
  path: string,
  view: ProjectView,
): Promise<readonly Problem[]> {
  if (workflows.length === 0) return [];
  const roles = await loadProjectRoles(view, path);
  const built = await Promise.all(
    workflows.map(({ name }) => definitionInFile(name, workflows, { path, view, roles })),
  );
  const { config } = view.project;
  return [...built.flatMap(problemsOf), ...built.flatMap((one) => (one.ok ? actorsOf(one.value, config) : []))];
}

const actorsOf = ({ workflow, library, roles }: Definition, config: Config): readonly Problem[] =>
  checkActors([workflow, ...Object.values(library)], roles, config);

const problemsOf = (result: Checked<unknown>): readonly Problem[] => (result.ok ? result.warnings : result.problems);

function resultOf(file: string, workflows: readonly string[], problems: readonly Problem[]): CheckedFile {
  const unique = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
  return { file, ok: !unique.some((problem) => problem.severity === 'error'), workflows, problems: unique };
}

function resultText(result: CheckedFile): string {
  const lines = result.problems.map(problemText);
  const verdict = result.ok ? `${result.file}: ok${names(result)}` : `${result.file}: not valid`;
  return [...lines, verdict].join('\n');
}

const names = (result: CheckedFile): string =>
  result.workflows.length === 0 ? '' : ` (${result.workflows.join(', ')})`;
