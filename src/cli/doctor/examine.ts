import { bareProject, openProject, type Project } from '../../app/config/project.ts';
import { projectTrust } from '../session/project-trust.ts';
import { storeHome } from '../session/store.ts';
import { describeError, problemText } from '../terminal/fault-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { examineClients } from './examine-clients.ts';
import { examineFiles } from '../../app/doctor/examine-files.ts';
import { examineJournal } from './examine-journal.ts';
import { examineModels } from './examine-models.ts';
import { examineRoles, examineWorkflows } from './examine-own-files.ts';
import { examineSandbox } from './examine-sandbox.ts';
import { examineServers } from './examine-servers.ts';
import { examineSetup } from '../../app/doctor/examine-setup.ts';
import type { Finding } from '../../app/doctor/finding.ts';

export async function examine(terminal: Terminal, version: string): Promise<readonly Finding[]> {
  const machine: Finding[] = [
    { level: 'ok', about: 'troupe', text: version },
    { level: 'ok', about: 'node', text: process.versions.node },
    ...(await attempt('journal', () => examineJournal(storeHome(terminal)))),
    ...(await attempt('sandbox', () => examineSandbox(terminal))),
    ...(await attempt('files', () => examineFiles(storeHome(terminal)))),
  ];
  const project = await attempt('config', async () => await examineProject(terminal));
  const view = { terminal, project: await openProject(terminal).catch(() => bareProject(terminal.folder)) };
  return [
    ...machine,
    ...project,
    ...(await attempt('roles', () => examineRoles(view))),
    ...(await attempt('workflows', () => examineWorkflows(view))),
  ];
}

/** A fault is a finding like any other. */
async function attempt(about: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
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

async function examineProject(terminal: Terminal): Promise<readonly Finding[]> {
  const project = await openProject(terminal);
  return [
    configFinding(project),
    ...(await examineModels(project.config, terminal.environment)),
    ...(await attempt('agent', () => examineClients(project.config, terminal.environment))),
    ...(await attempt('setup', () => examineSetup(project))),
    ...(await attempt('mcp', () => examineServers(project, terminal))),
    ...(await attempt('trust', () => examineTrust(project, terminal))),
  ];
}

function configFinding(project: Project): Finding {
  const [first] = project.configFiles;
  if (first === undefined) {
    return { level: 'warning', about: 'config', text: 'no .troupe/config.yaml; write one with: troupe init' };
  }
  return { level: 'ok', about: 'config', text: project.configFiles.join(', ') };
}

async function examineTrust(project: Project, terminal: Terminal): Promise<readonly Finding[]> {
  const { state, files, powers } = await projectTrust({ project, terminal });
  if (files.length + powers.length === 0) {
    return [
      { level: 'ok', about: 'trust', text: 'the project brings no code of its own, and its settings are harmless' },
    ];
  }
  const acts = powers.map(({ setting, does }) => `\n${setting} ${does}`).join('');
  const text = `${files.length} files of code, ${powers.length} settings that act, ${state}${acts}`;
  return [{ level: state === 'trusted' ? 'ok' : 'warning', about: 'trust', text }];
}
