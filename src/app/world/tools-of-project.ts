import { existsSync } from 'node:fs';
import type { Sandbox } from '../../sandbox/port.ts';
import { allTools } from '../../tools/all-tools.ts';
import type { ProjectTools } from '../../tools/project-tools.ts';
import { reportProgressTool } from '../../tools/report-progress.ts';
import { submitOutputTool } from '../../tools/submit-output.ts';
import type { ProjectView } from '../library/project-trust.ts';
import { storeHome } from './store.ts';

/** The files in `.troupe/tools`, loaded in the sandbox if the user trusts them as they are; null where there are none. */
export async function toolsOfProject(
  { project, caller }: ProjectView,
  sandbox: () => Promise<Sandbox>,
): Promise<ProjectTools | null> {
  if (!existsSync(`${project.folder}/tools`)) return null;
  const [{ projectTools }, { ownPackage }] = await Promise.all([
    import('../../tools/project-tools.ts'),
    import('../library/own-package.ts'),
  ]);
  return await projectTools({
    home: storeHome(caller),
    project: project.root,
    powers: project.powers,
    taken: [...allTools, submitOutputTool([]), reportProgressTool],
    box: { sandbox, environment: caller.environment, ownPackage: ownPackage() },
  });
}
