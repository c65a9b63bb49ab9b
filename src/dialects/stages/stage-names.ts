/** States that every stage workflow has besides its stages. */
export const STATES = {
  route: 'route',
  asking: 'asking',
  together: 'together',
  done: 'done',
  partial: 'partial',
  failed: 'failed',
} as const;

const TAKEN = new Set<string>(Object.values(STATES));

/** The state in which a stage is played: that of the stage by whoever it names, one of its own for each who steps in. */
export function stageState(stage: { readonly name: string; readonly agent: string }, player: string): string {
  const own = TAKEN.has(stage.name) ? `stage_${stage.name}` : stage.name;
  return player === stage.agent ? own : `${own}@${player}`;
}

const PROGRAM = 'stages:';

/** The program of the host that calls the workflow's functions. */
export const programOf = (workflow: string): string => `${PROGRAM}${workflow}`;

/** The workflow whose functions a program calls; undefined for a program of another kind. */
export const workflowOf = (program: string): string | undefined =>
  program.startsWith(PROGRAM) ? program.slice(PROGRAM.length) : undefined;
