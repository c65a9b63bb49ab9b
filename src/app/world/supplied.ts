import type { Supplied } from '../config/supplied-parts.ts';
import { Fault } from '../../core/model/fault.ts';
import type { Tool } from '../../tools/port.ts';
import type { Project } from '../config/project.ts';

export function withSupplied(project: Project, supplied: Supplied | undefined): Project {
  if (supplied === undefined) return project;
  const models = Object.entries(supplied.models ?? {}).map(([name, config]) => {
    const choice = { kind: 'api' as const, config: { name, ...config }, apiKeyEnv: null };
    return [name, choice] as const;
  });
  const config = { ...project.config, models: { ...project.config.models, ...Object.fromEntries(models) } };
  return { ...project, config, supplied };
}

/** Recorded with each run like the project's own tools, so that a process without them can name the one it lacks. */
export function suppliedTools({ tools = [] }: Supplied, known: readonly Tool[]): readonly Tool[] {
  const names = new Set(known.map(({ spec }) => spec.name));
  for (const { spec } of tools) {
    if (names.has(spec.name))
      throw new Fault('TOOL_NAME_TAKEN', `There already is a tool named "${spec.name}".`, {
        hint: 'Give the tool that you pass to openTroupe a different name.',
      });
    names.add(spec.name);
  }
  return tools.map((tool) => ({ origin: 'project', ...tool }));
}
