import { workflowCode, type FailureCode } from '../../../core/codes/codes.ts';
import type { RoleRules, SignalRoute } from './quest-table.ts';
import type { SaidSignal } from './signal-said.ts';

/** The target of a signal now: a place of the table, or the end of its tries. */
export type ChosenRoute =
  | { readonly kind: 'go'; readonly to: string }
  | { readonly kind: 'give up'; readonly code: FailureCode; readonly message: string };

export interface Sender {
  readonly role: string;
  readonly rules: RoleRules | undefined;
  /** How often it has sent this signal, this time included. */
  readonly count: number;
  /** The chain of calls, up to the role that the signal names. */
  readonly chain: string;
}

/** Follows the table. Everything that could go round has a number of tries; at the end of them is a named failure. */
export function chooseRoute(signal: SaidSignal, sender: Sender): ChosenRoute {
  const { role, rules, count } = sender;
  const route = rules?.routes[signal.name];
  if (route === undefined) {
    const message = `${role} sent ${signal.name}, and the quest has no route for it.`;
    return { kind: 'give up', code: 'SIGNAL_UNROUTED', message };
  }
  const isOver = route.tries !== undefined && count > route.tries;
  if (!isOver && route.to !== 'give_up') return { kind: 'go', to: route.to };
  if (isOver && route.then !== undefined) return { kind: 'go', to: route.then };
  const code = route.failure === undefined ? 'SIGNAL_UNROUTED' : workflowCode(route.failure);
  return { kind: 'give up', code, message: endText(signal, sender, route) };
}

function endText(signal: SaidSignal, { role, chain }: Sender, { tries }: SignalRoute): string {
  if (tries === undefined) return `${role} sent ${signal.name}: ${signal.reason || signal.question || signal.progress}`;
  switch (signal.name) {
    case 'needs-user-input':
      return `${role} asked ${countedInWords(tries, 'question')} and has another one: ${signal.question}`;
    case 'partially-complete':
      return `${role} was continued ${timesText(tries)} and is not done: ${signal.progress}`;
    default:
      return `${role} asked for others ${timesText(tries)} and is not done: ${chain}.`;
  }
}

const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Such as "three fixes". */
export const countedInWords = (count: number, what: string, several = `${what}s`): string =>
  `${WORDS[count] ?? String(count)} ${count === 1 ? what : several}`;

export const timesText = (count: number): string => (count === 1 ? 'once' : countedInWords(count, 'time'));
