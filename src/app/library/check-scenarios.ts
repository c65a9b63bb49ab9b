import { existsSync } from 'node:fs';
import type { Problem } from '../../core/fault.ts';
import type { Config } from '../config/config.ts';
import { pathInProject } from '../config/project.ts';

/** What is wrong with the scenarios that a configuration names. One that is not there is told with the setting itself. */
export async function checkScenarios(config: Config, folder: string): Promise<readonly Problem[]> {
  const files = scenariosOf(config).filter((file) => existsSync(file));
  const { checkScenario } = await import('../world/scripted-model.ts');
  const results = await Promise.all(files.map((file) => checkScenario(file, pathInProject(file, folder))));
  return results.flatMap((result) => (result.ok ? result.warnings : result.problems));
}

export const namesScenario = (config: Config, path: string): boolean => scenariosOf(config).includes(path);

function scenariosOf({ models }: Config): readonly string[] {
  const files = Object.values(models).flatMap((choice) => (choice.kind === 'scripted' ? [choice.scenario] : []));
  return [...new Set(files)];
}
