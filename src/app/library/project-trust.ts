import { Fault } from '../../core/model/fault.ts';
import type { Trust } from '../../workspace/trust.ts';
import type { Project } from '../config/project.ts';
import type { Caller } from '../caller.ts';
import { storeHome } from '../world/store.ts';

export interface ProjectView {
  readonly project: Project;
  readonly caller: Caller;
}

/** Whether the person allowed the project's own code to run, and nothing of it has changed since. */
export async function isTrusted(view: ProjectView): Promise<boolean> {
  return (await projectTrust(view)).state === 'trusted';
}

export async function projectTrust({ project, caller }: ProjectView): Promise<Trust> {
  const { trustState } = await import('../../workspace/trust.ts');
  return await trustState({ home: storeHome(caller), project: project.root, powers: project.powers });
}

/** Before anything of a run begins: one that goes on without its setup or its model is not what was asked for. */
export function refuseWithheld({ root, powers, isWithheld, unfit }: Project): void {
  if (unfit !== null) throw unfit;
  if (!isWithheld) return;
  const list = powers.map(({ setting, does }) => `  ${setting} ${does}`).join('\n');
  throw new Fault('PROJECT_UNTRUSTED', `The settings of this project would do what you have not agreed to:\n${list}`, {
    hint: 'If you know who wrote them: troupe trust. Any change of them asks again.',
    facts: { project: root, powers },
  });
}
