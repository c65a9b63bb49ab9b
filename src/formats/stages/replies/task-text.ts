import { isJsonObject } from '../../../core/model/json.ts';
import { type AgentMessage, type MessageType, PERSON, verdictOf } from '../rules/agent-message.ts';
import type { StageDelivery } from '../rules/decision.ts';
import { replyExample, replyTools } from './reply-tools.ts';

/** The order of the agent of a stage. */
export function taskText(delivery: StageDelivery): string {
  const { stage, iteration, description, message, inputs, note } = delivery;
  const given = inputs.filter((input) => !isRepeated(input, message));
  const parts = [
    `# Stage ${stage}${iteration > 1 ? ` (round ${iteration})` : ''}`,
    [description, ...revising(delivery)].join(' '),
    ...(note === undefined ? [] : [`## Before you go on\n\n${note}`]),
    section(message, delivery),
    ...(given.length === 0 ? [] : ['# Given', ...given.map((input) => section(input, delivery))]),
    handIn(delivery),
  ];
  return parts.join('\n\n');
}

/** The message of the stage is often one of its inputs, with a verdict. */
const isRepeated = (input: AgentMessage, { type, from, content }: AgentMessage): boolean =>
  input.type === type &&
  input.from === from &&
  input.content.subject === content.subject &&
  input.content.body === content.body;

/** The addition to a stage's task in a later round: the feedback on the round before. */
function revising({ role, iteration, message, inputs, outputType }: StageDelivery): readonly string[] {
  const review = [...inputs, message].findLast(({ type }) => type === 'review');
  if (outputType === 'review') {
    return review?.from === role ? ['First check that each issue of your last review is resolved.'] : [];
  }
  const isBack = verdictOf(review) === 'NEEDS_REVISION' && (iteration > 1 || message.type === 'review');
  return isBack ? ['Resolve every issue of the review below.', ...(WHOLE_WORK[outputType] ?? [])] : [];
}

/** The next agent reads only what is handed in last. */
const WHOLE_WORK: Readonly<Partial<Record<MessageType, readonly string[]>>> = {
  design: ['Hand in the whole design, not only the changes.'],
  finding: ['Hand in all findings that hold now, old and new.'],
};

/** The reply that the stage owes, with an example, and the two ways out. */
function handIn({ outputType, artifactKind, message }: StageDelivery): string {
  const [tool, ...others] = replyTools(outputType);
  const name = tool?.name ?? outputType;
  const ways: Readonly<Record<string, string>> = {
    ask_question: 'if only a person can decide something that you need',
    report_status: 'with the status `blocked` if you cannot go on',
  };
  const other = others.flatMap((one) => (ways[one.name] === undefined ? [] : [`\`${one.name}\` ${ways[one.name]}`]));
  return [
    '# Hand in',
    `Call \`${name}\` once, as your last action; it ends your turn. Text alone is not taken.`,
    `Example: \`${name}(${replyExample(outputType, artifactKind ?? message.type)})\``,
    ...(other.length === 0 ? [] : [`Instead, call ${other.join(', or ')}.`]),
  ].join('\n');
}

/** Fields of the protocol, which mean nothing to an agent. */
const PROTOCOL = new Set(['workflow', 'sessionId', 'phase']);

function section(message: AgentMessage, delivery: StageDelivery): string {
  const { type, content } = message;
  const isGoal = message.id === delivery.goal;
  // Instructions for the first agent mean nothing to the others.
  if (isForAnother(message, delivery.role) || (isGoal && message !== delivery.message))
    return `## The goal\n\n${content.body}`;
  const head = isGoal
    ? '## The goal'
    : `## ${content.subject === '' ? type : content.subject} (${origin(message, delivery)})`;
  const { metadata = {} } = content;
  const hasFindings = Array.isArray(metadata['findings']);
  const details = Object.entries(metadata)
    .filter(([name, value]) => !PROTOCOL.has(name) && value !== '' && value !== undefined && value !== content.body)
    .filter(([, value]) => typeof value !== 'string' || !content.subject.endsWith(value))
    .filter(([name]) => !hasFindings || !OF_FIRST_FINDING.has(name))
    .map(([name, value]) => detail(name, value));
  const list = [...(isGoal && details.length > 0 ? [WHOLE] : []), ...details].join('\n');
  return [head, content.body, list].filter((part) => part !== '').join('\n\n');
}

function origin({ id, type, from }: AgentMessage, { origins = {} }: StageDelivery): string {
  if (from === PERSON) return 'from the person';
  return `${type} from ${from}${origins[id] === undefined ? '' : `, stage ${origins[id]}`}`;
}

const WHOLE = 'Of the whole workflow, of which your stage is one part:';

/** Fields in which the message repeats its first finding. */
const OF_FIRST_FINDING = new Set(['claim', 'confidence', 'sources']);

const isForAnother = ({ type, from, to }: AgentMessage, role: StageDelivery['role']): boolean =>
  type === 'task' && from === 'orchestrator' && to !== role && to !== 'orchestrator';

function detail(name: string, value: unknown): string {
  if (!Array.isArray(value)) return `${name}: ${plain(value)}`;
  return value.length === 0 ? `${name}: none` : [`${name}:`, ...value.map((item) => `- ${plain(item)}`)].join('\n');
}

/** A record begins with what it says; the rest stands behind it by name. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  if (!isJsonObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const head = HEADS.find((name) => value[name] !== undefined);
  const rest = Object.entries(value).filter(([name]) => name !== head);
  const more = rest.map(([name, one]) => `${name}: ${plain(one)}`).join('; ');
  if (head === undefined) return more;
  return more === '' ? plain(value[head]) : `${plain(value[head])} (${more})`;
}

const HEADS = ['claim', 'name', 'description'];
