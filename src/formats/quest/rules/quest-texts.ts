import { timesText } from './choose-route.ts';
import type { DoneStep, QuestInput, QuestState } from './quest-state.ts';
import type { SaidSignal } from './signal-said.ts';

/** Prompts for agents, made from the known facts. The roles themselves say how they work. */

export const listText = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `\n\n${title}:\n- ${lines.join('\n- ')}`;

/** The requirements, as every role gets them. */
type Wanted = Pick<QuestState, 'requirements' | 'contexts' | 'observables'>;

export const wantedText = ({ requirements, contexts, observables }: Wanted): string =>
  listText('Requirements', requirements) + listText('Contexts', contexts) + listText('Observables', observables);

const NO_CHECKS = 'The engine knows no checks of this project.';

export const wardSummary = (ward: readonly string[], passed: string): string =>
  ward.length === 0
    ? NO_CHECKS
    : `The engine ran ${ward.join(', ')} on these files: all passed. The output ended with:\n\n${passed}`;

export const appendOrder = (text: string, order: string): string => (order === '' ? text : `${text}\n\n${order}`);

export const requirementsText = ({ request }: QuestInput, order: string): string =>
  appendOrder(`# The request\n\n${request}`, order);

export function planText({ request, ward }: QuestInput, state: QuestState, order: string): string {
  const checks = ward.length === 0 ? NO_CHECKS : `After every step the engine runs Ward: ${ward.join(', ')}`;
  const before = listText('Before the quest began', state.notices);
  return appendOrder(`# The request\n\n${request}${wantedText(state)}\n\n${checks}${before}`, order);
}

/** The input of the final reviewer. */
export interface Reviewed {
  readonly state: QuestState;
  readonly diff: string;
  readonly order: string;
}

export function reviewText({ request, ward }: QuestInput, { state, diff, order }: Reviewed): string {
  const steps = listText('Steps', state.done.map(stepResult));
  const checks = `\n\n# Ward\n\n${wardSummary(ward, state.ward_passed)}`;
  return appendOrder(
    `# The request\n\n${request}${wantedText(state)}${steps}${checks}\n\n# All changes\n\n${diff}`,
    order,
  );
}

const stepResult = ({ id, outcome, summary, files }: DoneStep): string =>
  `${id} (${outcome}): ${summary ?? ''}${filesNote(files)}`;

export const filesNote = (files: readonly string[]): string =>
  files.length === 0 ? '' : ` [files: ${files.join(', ')}]`;

/** For the next session of a role that filled its context. */
export const continueText = (errand: string, { progress, continuationPoint }: SaidSignal): string =>
  `${errand}\n\nAn earlier session began this and filled its context.\nDone so far: ${progress}\nGo on here: ${continuationPoint}`;

export const answeredText = (answer: string): string => `A person answered: ${answer}`;

export const askText = (asker: string, { question, context }: SaidSignal): string =>
  `${asker} asks: ${question}\n\n${context}`;

/** At the end of the corrections. */
export const uncorrectedText = (role: string, corrections: number): string =>
  `${role} was told ${timesText(corrections)} and did not correct it.`;

/** No more than a role would read. */
const MOST_PROBLEMS = 30;

export const problemList = (problems: readonly string[]): string => problems.slice(0, MOST_PROBLEMS).join('\n- ');

export const problemLine = (problems: readonly string[]): string => problems.slice(0, MOST_PROBLEMS).join(' ');
