import type { MissingPackages } from '../../core/model/project-brief.ts';

/** The sentence for people who start a run or look with `troupe doctor`. */
export function missingPackagesLine({ folder, lock, setup }: MissingPackages): string {
  return `${lock} is here, but no setup is configured: workspaces have no ${folder}, so tests in them fail. Add to .troupe/config.yaml: setup: ${setup}`;
}
