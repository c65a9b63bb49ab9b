import { isJsonObject, type JsonObject } from '../../../core/model/json.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import type { AgentMessage, AgentRole, MessageType } from '../rules/agent-message.ts';
import type { StageEvent } from '../rules/decision.ts';
import { replyTools, replyType } from './reply-tools.ts';

/** The reply of a stage's agent. */
export interface StageReply {
  readonly stage: string;
  readonly role: AgentRole;
  readonly outputType: MessageType;
  /** The structured reply that ended the turn, if one did. */
  readonly call: Pick<ToolCall, 'name' | 'arguments'> | null;
  readonly text: string;
}

/** Id and time of the message. The caller provides them, so that they are the same on replay. */
export interface Stamp {
  readonly id: string;
  readonly now: number;
}

/** The event that an answer is: its message, or `INVALID_OUTPUT` with what is missing. */
export function replyEvent(reply: StageReply, stamp: Stamp): StageEvent {
  const { stage, role } = reply;
  const message = messageOf(reply, stamp);
  if (typeof message !== 'string') return { kind: 'message', stage, from: role, message };
  return { kind: 'failed', stage, code: 'INVALID_OUTPUT', message };
}

/** The message in a reply; a sentence if there is none. */
export function messageOf(reply: StageReply, { id, now }: Stamp): AgentMessage | string {
  // The engine asks for it again by itself, and fails a turn without it: text is never a result.
  if (reply.call === null)
    return `The stage ${reply.stage} ends with ${replyTools(reply.outputType)[0]?.name}, which was not called.`;
  const type = replyType(reply.call.name);
  if (type === undefined) return `"${reply.call.name}" is no structured reply of this stage.`;
  const content = fromCall(type, reply);
  if (typeof content === 'string') return content;
  return {
    id,
    timestamp: new Date(now).toISOString(),
    from: reply.role,
    to: 'orchestrator',
    type,
    priority: 'normal',
    content,
  };
}

type Content = AgentMessage['content'];

const SUBJECTS: Readonly<Record<MessageType, string>> = {
  task: 'Task',
  finding: 'Findings',
  artifact: 'Artifact',
  review: 'Review',
  design: 'Design',
  status: 'Status',
  question: 'Question',
  result: 'Result',
};

/** Its content was checked when it was handed in. */
function fromCall(type: MessageType, { call, text }: StageReply): Content | string {
  const given = call?.arguments;
  if (!isJsonObject(given)) return `${call?.name ?? 'The reply'} was called without arguments.`;
  return { subject: subjectOf(type, given), body: bodyOf(given, text), metadata: metadataOf(type, given) };
}

function subjectOf(type: MessageType, given: JsonObject): string {
  const named = given['subject'] ?? given['title'];
  if (typeof named === 'string' && named !== '') return named;
  const { verdict } = given;
  return typeof verdict === 'string' ? `${SUBJECTS[type]}: ${verdict}` : SUBJECTS[type];
}

function bodyOf(given: JsonObject, text: string): string {
  const body = [given['body'], given['question'], given['summary']].find(
    (one) => typeof one === 'string' && one !== '',
  );
  return typeof body === 'string' ? body : text;
}

/** Everything the reply says but what is the body already; a single finding can also be read as the document has it. */
function metadataOf(
  type: MessageType,
  { body: _body, subject: _subject, ...rest }: JsonObject,
): Record<string, unknown> {
  const [first, ...more] = type === 'finding' && Array.isArray(rest['findings']) ? rest['findings'] : [];
  return { ...(isJsonObject(first) && more.length === 0 ? first : {}), ...rest };
}
