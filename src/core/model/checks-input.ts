import type { Workflow } from './workflow.ts';

/**
 * The input in which every workflow, of whatever family, takes the commands by which the project checks itself. If it is not
 * given, it gets those of the setting of the same name, or those found in the project.
 */
export const CHECKS_INPUT = 'ward';

/** The input that takes the sources of these commands, one for each. */
export const CHECKS_FROM_INPUT = 'ward_from';

export const takesList = ({ inputs }: Workflow, wanted: string): boolean =>
  inputs.some(({ name, type }) => name === wanted && type === 'array');
