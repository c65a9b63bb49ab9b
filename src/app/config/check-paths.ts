import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProblemReport } from '../../dialects/source/problem-report.ts';
import type { SourcePath } from '../../dialects/source/source-path.ts';
import type { ActorsFile } from './actor-schema.ts';
import type { ConfigFile } from './config-schema.ts';

/** Files and folders that the configuration names and nobody finds: what is in them would be missed without a word. */
export function checkPaths(file: ConfigFile, folder: string, report: ProblemReport): void {
  for (const key of ['workflows', 'roles'] as const) {
    for (const { path, at } of namedIn(file[key], key)) {
      if (existsSync(resolve(folder, path))) continue;
      report.error('PATH_MISSING', `"${key}" names ${path}, which does not exist.`, {
        path: at,
        hint: `Paths count from ${folder}. Make it, or take it out.`,
      });
    }
  }
  for (const [name, model] of Object.entries(file.models ?? {})) {
    if (model.provider !== 'scripted' || existsSync(resolve(folder, model.scenario))) continue;
    // Not an error: a model that nobody uses does no harm, and one that is used says the same then.
    report.warning('PATH_MISSING', `The scenario ${model.scenario} of model "${name}" does not exist.`, {
      path: ['models', name, 'scenario'],
      hint: `Paths count from ${folder}.`,
    });
  }
  checkPrograms(file.actors ?? {}, folder, report);
}

/** Programs of agents, where they are named by a path. Not an error either, for the same reason. */
function checkPrograms({ acp = {}, ...clients }: ActorsFile, folder: string, report: ProblemReport): void {
  const named: readonly (readonly [SourcePath, string | undefined])[] = [
    ...Object.entries(clients).map(([kind, client]) => [['actors', kind, 'program'], client?.program] as const),
    ...Object.entries(acp).map(([name, { command }]) => [['actors', 'acp', name, 'command', 0], command[0]] as const),
  ];
  for (const [path, program] of named) {
    if (program === undefined || !program.includes('/') || existsSync(resolve(folder, program))) continue;
    report.warning('PATH_MISSING', `The agent's program ${program} does not exist.`, {
      path,
      hint: `Paths count from ${folder}.`,
    });
  }
}

function namedIn(
  paths: string | readonly string[] | undefined,
  key: string,
): readonly { readonly path: string; readonly at: SourcePath }[] {
  if (paths === undefined) return [];
  if (typeof paths === 'string') return [{ path: paths, at: [key] }];
  return paths.map((path, index) => ({ path, at: [key, index] }));
}
