import { compactionText } from '../../core/look/compaction-text.ts';
import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import type { CallFailed } from '../../core/record/call-fact.ts';
import type { TaskStarted } from '../../core/record/task-fact.ts';
import { type JsonObject, jsonText } from '../../core/model/json.ts';
import type { Message, ToolCall } from '../../core/model/message.ts';
import { FILES_CHANGED } from '../../core/look/open-questions.ts';
import { quotaText, sessionText } from './agent-story.ts';
import { filesText } from './files-story.ts';
import { outcomeText } from '../../protocol/outcome-text.ts';

/** The full text of a message; `watch` shows the bookkeeping around it. */
export function logText({ fact, at }: JournalRecord, tool?: string): string | null {
  const describe = TEXTS[fact.kind] as ((one: Fact, moment: LogMoment) => string | null) | undefined;
  return describe === undefined ? filesText(fact) : describe(fact, { at, tool });
}

interface LogMoment {
  readonly at: number;
  /** The tool that has finished: the record names only its call. */
  readonly tool: string | undefined;
}

type Texts = {
  readonly [Kind in Fact['kind']]?: (fact: Extract<Fact, { readonly kind: Kind }>, moment: LogMoment) => string | null;
};

const TEXTS: Texts = {
  'task.started': startedText,
  'call.answered': ({ message }) => spokenText(message),
  'call.failed': failedText,
  'tool.finished': ({ isError, refused, content }, { tool }) =>
    `${isError ? '✗' : '✓'} ${tool === undefined ? '' : `${tool}: `}${refused === undefined ? '' : `refused (${refused}): `}${content}`,
  'question.asked': ({ refused }) =>
    refused === undefined ? null : `${FILES_CHANGED} ${refused.by} answered ${jsonText(refused.answer)}: not taken`,
  'question.answered': ({ by, answer }) => `${by} answered: ${jsonText(answer)}`,
  'run.settled': ({ outcome, failure }) => `settled: ${outcomeText(outcome, failure)}`,
  'delivery.finished': (fact) => [filesText(fact), printedIn(fact.report)].filter(Boolean).join('\n'),
  'permission.asked': ({ call }) => `asks whether it may use ${call === undefined ? 'a tool' : callText(call)}`,
  'session.noted': sessionText,
  'turn.nudged': ({ text }) => `← ${text}`,
  'results.cleared': compactionText,
  'compaction.started': compactionText,
  'turn.compacted': (fact) => `${compactionText(fact)}\n${fact.text}`,
  'message.added': ({ by, message }) =>
    by === undefined ? null : `${by} to ${message.to ?? 'all'}: ${message.content}`,
};

/** All that the journal keeps of what a refused check printed. */
function printedIn(report: JsonObject | undefined): string {
  const output = report?.['output'];
  return typeof output === 'string' ? output.trimEnd() : '';
}

function startedText({ work }: TaskStarted): string | null {
  if (work.kind === 'turn') return work.input === null ? null : `← ${work.input}`;
  if (work.kind === 'command') return `$ ${work.command}`;
  return work.kind === 'ask' ? `asks: ${work.question}` : null;
}

function spokenText({ content, toolCalls = [] }: Message): string {
  const calls = toolCalls.map((call) => `⚙ ${callText(call)}`);
  return [content, ...calls].filter((part) => part !== '').join('\n');
}

const callText = (call: ToolCall): string => `${call.name} ${JSON.stringify(call.arguments)}`;

function failedText({ failure, retryAt }: CallFailed, { at }: LogMoment): string {
  const quota = quotaText(failure, retryAt, at);
  return `${failure.code}: ${failure.message}${quota === null ? '' : ` It ${quota}.`}`;
}
