import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isFault, type Problem } from '../../core/fault.ts';
import { hasErrors, problemsOf } from '../../dialects/source/checked.ts';
import { parseConfig } from '../config/parse-config.ts';
import { pathsBase } from '../config/project.ts';
import { checkRoleFile, checkWorkflowFile } from './check-file.ts';
import { checkScenarios, namesScenario } from './check-scenarios.ts';
import { findWorkflow } from './find-workflow.ts';
import { lookAtServers } from '../world/look-at-servers.ts';
import type { ProjectView } from './project-trust.ts';

export interface CheckedFile {
  readonly file: string;
  readonly ok: boolean;
  readonly workflows: readonly string[];
  readonly problems: readonly Problem[];
}

/** All that is wrong with a file of whatever kind: settings, a scenario, a role or what it is made of, workflows. */
export async function checkFile(file: string, view: ProjectView): Promise<CheckedFile> {
  const path = resolve(view.caller.folder, file);
  if (isConfig(path)) return resultOf(file, [], await checkConfig(path, file, view));
  if (namesScenario(view.project.config, path)) {
    const { checkScenario } = await import('../world/scripted-model.ts');
    return resultOf(file, [], problemsOf(await checkScenario(path, file)));
  }
  const ofRoles = await checkRoleFile(path, view);
  if (ofRoles !== null) return resultOf(file, [], ofRoles);
  if (/^[\w-]+$/.test(file) && !existsSync(path)) return await checkName(file, view);
  const { workflows, problems } = await checkWorkflowFile(path, view);
  return resultOf(file, workflows, problems);
}

/** A workflow by its name, wherever it comes from. */
async function checkName(name: string, view: ProjectView): Promise<CheckedFile> {
  try {
    const { workflow, warnings } = await findWorkflow(name, view);
    return resultOf(name, [workflow.name], warnings);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { code, message, hint, problems } = error;
    const itself = { code, message, severity: 'error' as const, path: name, ...(hint === undefined ? {} : { hint }) };
    return resultOf(name, [], problems.length === 0 ? [itself] : problems);
  }
}

/** With the scenarios and the MCP servers it names. */
async function checkConfig(path: string, file: string, view: ProjectView): Promise<readonly Problem[]> {
  const parsed = parseConfig(readFileSync(path, 'utf8'), { file, folder: pathsBase(path) });
  const scenarios = parsed.ok ? await checkScenarios(parsed.value, view.caller.folder) : [];
  const servers = parsed.ok ? await checkServers(Object.keys(parsed.value.mcp), file, view) : [];
  return [...problemsOf(parsed), ...scenarios, ...servers];
}

/** A server that is down today may be up when a run begins, so it is a warning. Before trust none is started. */
async function checkServers(names: readonly string[], file: string, view: ProjectView): Promise<readonly Problem[]> {
  const { project, caller } = view;
  const mcp = Object.fromEntries(Object.entries(project.config.mcp).filter(([name]) => names.includes(name)));
  const { problems } = await lookAtServers({ ...project, config: { ...project.config, mcp } }, caller);
  const hint = 'Runs go on without it. Start it by hand, or see: troupe doctor';
  return problems.map((message) => ({ code: 'MCP_UNUSABLE', message, severity: 'warning', file, path: 'mcp', hint }));
}

const isConfig = (path: string): boolean =>
  /^config\.(ya?ml|json)$/.test(basename(path)) && basename(dirname(path)) === '.troupe';

function resultOf(file: string, workflows: readonly string[], problems: readonly Problem[]): CheckedFile {
  return { file, ok: !hasErrors(problems), workflows, problems };
}
