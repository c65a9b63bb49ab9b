import type { Activity } from '../../core/record/agent-fact.ts';
import type { ToolFinished } from '../../core/record/call-fact.ts';
import type { PermissionAsked } from '../../core/record/files-fact.ts';
import { calledFile } from '../tool-words.ts';
import { logLineText, paidFor, tokensInLine } from './line-words.ts';
import type { LogStatus } from './log-line.ts';
import type { KnownCall } from '../history/task-book.ts';
import type { LineFields, LineContext } from './line-writer.ts';

export function toolLines({ fact, book }: LineContext<ToolFinished>): readonly LineFields[] {
  if (book.wasReported(fact)) return [];
  const status: LogStatus = fact.refused !== undefined ? 'refused' : fact.isError ? 'failed' : 'success';
  return [
    {
      event: 'tool_call',
      level: status === 'success' ? 'INFO' : 'WARN',
      status,
      duration_ms: fact.ms,
      ...askedFor(book.toolCall(fact.task, fact.toolCall)),
      ...(fact.refused === undefined ? {} : { code: fact.refused }),
      ...paidFor(fact),
    },
  ];
}

export function activityLines({ book, at }: LineContext): readonly LineFields[] {
  return book.ended.map(({ item, startedAt }) => {
    const duration_ms = Math.max(0, at - startedAt);
    return { duration_ms, ...activityStatus(item), ...(item.kind === 'tool' ? ownTool(item) : ownEvent(item)) };
  });
}

function activityStatus({ status }: Activity): Pick<LineFields, 'level' | 'status'> {
  if (status === 'ok') return {};
  return { level: 'WARN', status: status === 'denied' ? 'refused' : 'failed' };
}

const ownTool = ({ name, text }: Activity): LineFields => ({
  event: 'tool_call',
  tool: name,
  file: FILE_TOOLS.test(name) ? (text ?? null) : null,
});

const ownEvent = ({ kind, name, text, usage }: Activity): LineFields => ({
  event: ACTIVITY_EVENTS[kind],
  message: logLineText(text === undefined ? name : `${name}: ${text}`),
  ...tokensInLine(usage),
});

const ACTIVITY_EVENTS: Readonly<Record<Activity['kind'], string>> = {
  tool: 'tool_call',
  minion: 'sub_agent_completed',
  retry: 'client_retry',
  notice: 'client_notice',
};

/** Tools of clients whose line for people is a path. */
const FILE_TOOLS = /^(?:read|write|edit|multiedit|notebookedit|notebookread|apply_patch)/i;

export const askedFor = (call: Pick<KnownCall, 'name' | 'file'> | undefined): Pick<LineFields, 'tool' | 'file'> =>
  call === undefined ? {} : { tool: call.name, file: call.file };

/** A client asks with the call itself; for others it was in the answer. */
export const permitted = ({ fact, book }: LineContext<PermissionAsked>): Pick<LineFields, 'tool' | 'file'> =>
  fact.call === undefined
    ? askedFor(book.toolCall(fact.task, fact.toolCall))
    : { tool: fact.call.name, file: calledFile(fact.call.arguments) };
