import type { CollectedArtifact, CollectedOutputs, PhaseNeed, PhaseReading, PhaseResult } from './phase-state.ts';

type Results = Readonly<Record<string, PhaseResult | null>>;

/**
 * The results of other phases in which files were fixed: the fixed versions count from now on. Plans and reports cannot be fixed:
 * they stay as their phase recorded them.
 */
export function newestVersions(phases: Results, made: CollectedOutputs): Readonly<Record<string, PhaseResult>> {
  const fixed = new Map([...(made.others ?? []), ...made.artifacts].filter(isWork).map((one) => [one.path, one]));
  const changed = Object.entries(phases).flatMap(([id, result]) => {
    const { artifacts = [] } = result?.output ?? {};
    if (result === null || result.output === null || !artifacts.some(({ path }) => fixed.has(path))) return [];
    const newest = artifacts.map((old) => newestOf(old, fixed.get(old.path)));
    return [[id, { ...result, output: { ...result.output, artifacts: newest } }] as const];
  });
  return Object.fromEntries(changed);
}

const isWork = ({ type }: CollectedArtifact): boolean => type === 'code' || type === 'data';

function newestOf(old: CollectedArtifact, fixed: CollectedArtifact | undefined): CollectedArtifact {
  return fixed === undefined || !isWork(old) ? old : { ...old, id: fixed.id, hash: fixed.hash };
}

/** The artifacts that have to be there as they were recorded, because a template read them. */
export function neededBy({ used }: PhaseReading, phases: Results): readonly PhaseNeed[] {
  const needs = new Map<string, PhaseNeed>();
  for (const [phase, name] of used) {
    const artifacts = (phases[phase]?.output?.artifacts ?? []).filter((one) => one.name === name);
    const form = artifacts[0]?.form;
    if (form !== undefined) needs.set(JSON.stringify([phase, name]), { phase, name, form, artifacts });
  }
  return [...needs.values()];
}
