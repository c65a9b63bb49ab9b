import { LOOKING } from './look-ahead.ts';

/** A phase file's own states around its phases, drawn as one with them where nothing else can come before. */
export function phaseStep(state: string, states: Readonly<Record<string, unknown>>): string {
  if (!Object.hasOwn(states, 'phases')) return state;
  const isAround = state === 'start' || state === 'judge' || state.startsWith(LOOKING);
  return isAround && !Object.hasOwn(states, 'route') ? 'phases' : state;
}
