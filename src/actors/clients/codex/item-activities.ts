import { DESK_NAME } from '../desk-name.ts';
import type { Activity } from '../../../core/agent-fact.ts';
import type { Json, JsonObject } from '../../../core/json.ts';
import { hasFailedExit } from '../failed-exit.ts';
import { objectIn, objectListIn, stringIn } from '../read-json.ts';

/** What an item of the client's stream tells of its doings; nothing for its words and thoughts. */
export function itemActivities(item: JsonObject): readonly Activity[] {
  const type = stringIn(item['type']);
  if (type === 'collab_tool_call') return minionActivities(item);
  if (type === 'error') return [notice(item)];
  const told = TOOLS[type]?.(item);
  if (told === undefined) return [];
  const line = clipped(told.line);
  return [
    {
      id: stringIn(item['id']),
      kind: 'tool',
      name: told.name,
      status: statusOf(item),
      ...(line === '' ? {} : { text: line }),
    },
  ];
}

interface ToldTool {
  readonly name: string;
  readonly line: string;
}

const TOOLS: Readonly<Record<string, (item: JsonObject) => ToldTool>> = {
  command_execution: (item) => ({ name: 'command', line: withoutShell(stringIn(item['command'])) }),
  file_change: (item) => ({
    name: 'apply_patch',
    line: objectListIn(item['changes'])
      .map((change) => stringIn(change['path']))
      .join(', '),
  }),
  mcp_tool_call: (item) => ({ name: toolName(item), line: stringIn(objectIn(item['arguments'])['signal']) }),
  web_search: (item) => ({ name: 'web_search', line: stringIn(item['query']) }),
};

function statusOf(item: JsonObject): Activity['status'] {
  const status = STATUS[stringIn(item['status'])] ?? 'ok';
  return status === 'ok' && hasFailedExit(item) ? 'failed' : status;
}

const STATUS: Readonly<Record<string, Activity['status']>> = {
  in_progress: 'running',
  completed: 'ok',
  failed: 'failed',
  declined: 'denied',
};

/** It starts each command with a shell, which nobody needs to see. */
const withoutShell = (command: string): string => /^\S*sh -l?c '([^]*)'$/.exec(command)?.[1] ?? command;

function toolName(item: JsonObject): string {
  const [server, tool] = [stringIn(item['server']), stringIn(item['tool'])];
  return server === DESK_NAME ? tool : `${server}.${tool}`;
}

/** Each minion is known by the id of its own conversation, from when it has one. */
function minionActivities(item: JsonObject): readonly Activity[] {
  const states = objectIn(item['agents_states']);
  const words = clipped(stringIn(item['prompt']));
  const isStart = stringIn(item['tool']) === 'spawn_agent';
  return Object.entries(states).map(([id, state]) => ({
    id,
    kind: 'minion',
    name: 'agent',
    status: minionStatus(state),
    ...(isStart && words !== '' ? { text: words } : {}),
  }));
}

function minionStatus(state: Json): Activity['status'] {
  const status = stringIn(objectIn(state)['status']);
  if (/^(pending_init|running)$/.test(status)) return 'running';
  return /^(completed|shutdown)$/.test(status) ? 'ok' : 'failed';
}

const notice = (item: JsonObject): Activity => ({
  id: stringIn(item['id']),
  kind: 'notice',
  name: 'notice',
  status: 'failed',
  text: clipped(stringIn(item['message'])),
});

function clipped(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

const LONGEST_LINE = 200;
