import { gitFiles } from '../../workspace/project-files.ts';
import { missingFolder } from '../../workspace/setup/find-setup.ts';
import type { Project } from '../config/project.ts';
import { missingPackagesLine } from '../results/missing-packages.ts';
import type { DoctorFinding } from './finding.ts';

/** Whether commands in a workspace find the packages of the project. Outside of git nothing but `node_modules` is left out. */
export async function examineSetup({ root, config, powers }: Project): Promise<readonly DoctorFinding[]> {
  const { setup, ignored = 'skip' } = config.workspaces;
  if (setup !== undefined) return [{ level: 'ok', about: 'setup', text: `${setup}, in each new workspace` }];
  // One that the user has not agreed to is named with the trust of the project.
  if (powers.some(({ setting }) => setting === 'setup')) return [];
  const listed = await gitFiles(root);
  if (listed === null || ignored !== 'skip') return [];
  const missing = missingFolder(new Set(listed.map((path) => path.split('/', 1)[0] ?? '')));
  if (missing === null) return [];
  const { folder, lock, command } = missing;
  return [{ level: 'warning', about: 'setup', text: missingPackagesLine({ folder, lock, setup: command }) }];
}
