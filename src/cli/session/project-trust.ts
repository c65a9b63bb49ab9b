import type { Trust } from '../../workspace/trust.ts';
import type { Project } from '../config/project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { storeHome } from './store.ts';

export interface ProjectView {
  readonly project: Project;
  readonly terminal: Terminal;
}

/** Whether the person allowed the project's own code to run, and nothing of it has changed since. */
export async function isTrusted(view: ProjectView): Promise<boolean> {
  return (await projectTrust(view)).state === 'trusted';
}

export async function projectTrust({ project, terminal }: ProjectView): Promise<Trust> {
  const { trustState } = await import('../../workspace/trust.ts');
  return await trustState({ home: storeHome(terminal), project: project.root });
}
