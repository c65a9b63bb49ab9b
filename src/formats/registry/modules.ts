import type { Problem } from '../../core/model/fault.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import type { ModuleContent } from '../stages/parse/module-content.ts';

// Workflows that are written as code, of every family that can be. A further family is a line in each function.

export type { ModuleContent };

/** Loads a module in this process, which runs it. */
export async function readModuleHere(path: string, hash: string): Promise<ModuleContent> {
  const { importModule, moduleContent } = await import('../stages/parse/module-content.ts');
  return moduleContent(await importModule(path, hash));
}

/** Its valid workflows, and the problems of the others. `hash` names its code; it is empty where runs keep to none. */
export async function workflowsOf(
  content: ModuleContent,
  at: { readonly path: string; readonly hash: string; readonly file: string },
): Promise<{ readonly workflows: readonly Workflow[]; readonly problems: readonly Problem[] }> {
  const { lowerModule } = await import('../stages/parse/planned-stages.ts');
  const { workflows, problems } = lowerModule(content, at);
  const code = at.hash === '' ? {} : { code: at.hash };
  const native = content.native.map((workflow) => ({ ...workflow, file: at.file, ...code }));
  return { workflows: [...native, ...workflows], problems };
}
