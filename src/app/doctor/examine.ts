import { bareProject, openProject, type Project } from '../config/project.ts';
import { projectTrust } from '../library/project-trust.ts';
import { storeHome } from '../world/store.ts';
import { describeError } from '../describe-error.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { Caller } from '../caller.ts';
import { examineClients, examineModels } from './examine-models.ts';
import { examineFiles, examineJournalOf, examineSandbox } from './examine-sandbox.ts';
import { examineRoles, examineServers, examineSetup, examineWorkflows } from './examine-own-files.ts';
import type { DoctorFinding } from './finding.ts';

export async function examine(caller: Caller, version: string): Promise<readonly DoctorFinding[]> {
  const machine: DoctorFinding[] = [
    { level: 'ok', about: 'troupe', text: version },
    { level: 'ok', about: 'node', text: process.versions.node },
    ...(await attempt('journal', () => examineJournalOf(caller))),
    ...(await attempt('sandbox', () => examineSandbox(caller))),
    ...(await attempt('files', () => examineFiles(storeHome(caller)))),
  ];
  const project = await attempt('config', async () => await examineProject(caller));
  const view = { caller, project: await openProject(caller).catch(() => bareProject(caller.folder)) };
  return [
    ...machine,
    ...project,
    ...(await attempt('roles', () => examineRoles(view))),
    ...(await attempt('workflows', () => examineWorkflows(view))),
  ];
}

/** A fault is a finding like any other. */
async function attempt(
  about: string,
  look: () => Promise<readonly DoctorFinding[]>,
): Promise<readonly DoctorFinding[]> {
  try {
    return await look();
  } catch (error) {
    const { code, message, problems, hint } = describeError(error);
    const text = [`${code}: ${message}`, ...problems.map(problemText), ...(hint === undefined ? [] : [hint])].join(
      '\n',
    );
    return [{ level: 'error', about, text }];
  }
}

async function examineProject(caller: Caller): Promise<readonly DoctorFinding[]> {
  const project = await openProject(caller);
  return [
    configFinding(project),
    ...(await examineModels(project.config, caller.environment)),
    ...(await attempt('agent', () => examineClients(project.config, caller.environment))),
    ...(await attempt('setup', () => examineSetup(project))),
    ...(await attempt('mcp', () => examineServers(project, caller))),
    ...(await attempt('trust', () => examineTrust(project, caller))),
  ];
}

function configFinding(project: Project): DoctorFinding {
  const [first] = project.configFiles;
  if (first === undefined) {
    return { level: 'warning', about: 'config', text: 'no .troupe/config.yaml; write one with: troupe init' };
  }
  return { level: 'ok', about: 'config', text: project.configFiles.join(', ') };
}

async function examineTrust(project: Project, caller: Caller): Promise<readonly DoctorFinding[]> {
  const { state, files, powers } = await projectTrust({ project, caller });
  if (files.length + powers.length === 0) {
    return [{ level: 'ok', about: 'trust', text: 'the project has no code to run, and its settings are harmless' }];
  }
  const acts = powers.map(({ setting, does }) => `\n${setting} ${does}`).join('');
  const text = `${files.length} files of code, ${powers.length} settings that act, ${state}${acts}`;
  return [{ level: state === 'trusted' ? 'ok' : 'warning', about: 'trust', text }];
}
