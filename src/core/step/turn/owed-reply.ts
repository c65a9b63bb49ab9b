import type { Expression } from '../../model/expression.ts';
import type { ResolvedWork } from '../../record/task-fact.ts';
import type { Failure } from '../../model/outcome.ts';
import type { Role } from '../../model/role.ts';
import { SIGNAL_TOOL } from '../../model/signal.ts';
import type { Task } from '../../fold/snapshot.ts';
import type { TurnWork, WorkState } from '../../model/workflow.ts';

/**
 * A structured reply that a turn owes (A4): requested again once, by name, then `REPLY_OWED`. Invariants: only tools of the
 * role are owed; a wrong reply tool is refused by name; an owed reply never changes the list of tools.
 */
export function repliesOwed(
  work: TurnWork,
  role: Role | undefined,
  state: Pick<WorkState, 'work' | 'transitions'>,
): readonly string[] {
  const names = (role?.parsingTools ?? []).map(({ name }) => name);
  if (work.reply !== undefined) return work.reply.filter((name) => names.includes(name));
  if ((role?.signals ?? []).length > 0) return names;
  // Leaving a pool depends on the results of its units, not on the reply of one of them.
  if (state.work !== work) return [];
  const derived = readOnce(state.transitions);
  return derived.isOnlyWay ? derived.tools.filter((name) => names.includes(name)) : [];
}

interface RepliesRead {
  readonly tools: readonly string[];
  readonly isOnlyWay: boolean;
}

/** A workflow never changes, and each visit of a state asks. */
const read = new WeakMap<WorkState['transitions'], RepliesRead>();

function readOnce(transitions: WorkState['transitions']): RepliesRead {
  const known = read.get(transitions) ?? repliesRead({ transitions });
  read.set(transitions, known);
  return known;
}

/** The replies that the transitions of a state wait for. `isOnlyWay`: without one of them the state cannot be left. */
export function repliesRead({ transitions }: Pick<WorkState, 'transitions'>): RepliesRead {
  const reads = transitions.map(({ when }) => (when === null ? [] : callsNeeded(when)));
  const isOnlyWay = transitions.length > 0 && reads.every((tools) => tools.length > 0);
  return { tools: [...new Set(reads.flat())], isOnlyWay };
}

/** The calls that a condition needs to hold; none if text alone may satisfy it. */
function callsNeeded(when: Expression): readonly string[] {
  switch (when.kind) {
    case 'parsed-call':
      return [when.tool];
    case 'member':
    case 'index':
    case 'call':
      return callsNeeded(when.object);
    case 'chain':
      return callsNeeded(when.body);
    case 'logical':
      return callsNeededByBoth(when);
    case 'binary':
      return isComparison(when) ? [...callsNeeded(when.left), ...callsNeeded(when.right)] : [];
    default:
      return [];
  }
}

function callsNeededByBoth({ operator, left, right }: Extract<Expression, { kind: 'logical' }>): readonly string[] {
  const [first, second] = [callsNeeded(left), callsNeeded(right)];
  const isEnough = operator === '&&' || (first.length > 0 && second.length > 0);
  return isEnough ? [...first, ...second] : [];
}

/** Comparisons with undefined are false, whatever the literal on the other side. */
function isComparison({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): boolean {
  if (!['===', '==', '<', '<=', '>', '>='].includes(operator)) return false;
  return [left, right].some((side) => side.kind === 'literal' && side.value !== null);
}

type Turn = Extract<ResolvedWork, { kind: 'turn' }>;

export const turnOf = ({ work }: Pick<Task, 'work'>): Turn | null => (work.kind === 'turn' ? work : null);

/** Whether the turn still lacks its reply. Some models cannot call tools: the words that a review allows instead count (PD4). */
export function lacksReply(task: Task, text: string): boolean {
  const { reply = [], replyWords = [] } = turnOf(task) ?? {};
  if (reply.length === 0 || (task.turn?.accepted.length ?? 0) > 0) return false;
  return task.turn?.isNudged !== true || !text.split('\n').some((line) => beginsWith(line, replyWords));
}

function beginsWith(line: string, words: readonly string[]): boolean {
  const [head = '', ...rest] = line.replaceAll(/^[\s>#*_`-]+/g, '').split(':');
  return rest.length > 0 && words.some((word) => head.toUpperCase().startsWith(word));
}

/** Why this structured reply does not end the turn, as text for its agent; null if it does. */
export function wrongReply({ reply = [] }: Pick<Turn, 'reply'>, name: string): string | null {
  if (reply.length === 0 || reply.includes(name)) return null;
  return `This turn ends with ${listed(reply)}; \`${name}\` belongs to another turn. Call ${listed(reply)}.`;
}

/** The result of a call whose arguments do not fit. The schema checker's sentences have no full stop. */
export const rejectedText = (name: string, problem: string): string =>
  `The arguments of ${name} do not fit: ${problem.replace(/\.$/, '')}. Call it again with arguments that fit.`;

/** The result of a claim that is not true. */
export const replyDoubtText = (name: string, missing: string): string =>
  `Not accepted. ${missing.trimEnd()}\nGo on until it holds, then call ${name} again.`;

/** The result of a judgement that has to be corrected. The whole reply is requested: parts of two are no reply. */
export const returnedText = (name: string, fault: string): string =>
  `Not accepted yet. The engine cannot use this:\n${fault}\nCorrect it and call \`${name}\` again with the whole reply. What is still wrong then does not count.`;

/** The message to an agent that ended with text. */
export function askAgain(reply: readonly string[]): string {
  return (
    `Call ${listed(reply)} now. You ended with text, and text is not taken as your reply. ` +
    `If work is still open, finish it first; then make the call.`
  );
}

/** The result of a structured reply that was accepted. */
export const RECEIPT = 'Received. Your turn is over.';

/** The first message to a client whose last turn was ended by the engine, and who may take that for an interruption. */
export const ENDED_FOR_YOU = 'Your last hand-in was accepted, and your turn was ended for you. Nothing of it is open.';

/** An agent that owes a signal and sends none has crashed (Q5). */
export function replyOwed(task: Task): Failure {
  const { agent = '', reply = [] } = turnOf(task) ?? {};
  return {
    code: 'REPLY_OWED',
    message: `${agent} was asked twice for ${listed(reply)} in state ${task.state} and did not call it.`,
    class: reply.includes(SIGNAL_TOOL) ? 'crash' : 'bad-reply',
    hint: `Read what it said instead: troupe logs last --agent ${agent}. Choose a model that calls tools, or name the tool in its prompt.`,
  };
}

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' or ');
