import { defineTool, refusedTool, objectSchema } from './define-tool.ts';
import type { Role, ToolSpec } from '../core/model/role.ts';
import { TASK_TOOL } from '../core/model/tool-names.ts';
import { NO_CHANGE_TOOL } from '../core/step/turn/owed-changes.ts';
import type { OwedOutput } from '../core/record/artifact-fact.ts';
import type { Json, JsonObject } from '../core/model/json.ts';
import type { Tool } from './port.ts';

/**
 * The agent's own list. Each call replaces it, and the journal holds the call, so the list at any moment is the last call's:
 * nothing is kept here.
 */
export const todoWriteTool = defineTool<{ items: readonly GivenItem[] }>({
  name: 'todo_write',
  description: 'Keep your list of things to do. Each call gives the whole list and replaces the one before.',
  parameters: objectSchema(['items'], {
    items: {
      type: 'array',
      maxItems: 100,
      items: objectSchema(['text', 'status'], {
        id: { type: 'string', minLength: 1, maxLength: 40, description: 'Default: its number in the list' },
        text: { type: 'string', minLength: 1, maxLength: 500 },
        status: { type: 'string', enum: ['pending', 'in_progress', 'done'] },
      }),
    },
  }),
  repeat: 'safe',
  access: 'talk',
  run({ items: given }) {
    const items = todoItems(given);
    const twin = items.find(({ id }, at) => items.findIndex((other) => other.id === id) !== at);
    return twin === undefined ? todoText(items) : refusedTool(`Two items have the id ${JSON.stringify(twin.id)}.`);
  },
});

interface GivenItem {
  readonly id?: string;
  readonly text: string;
  readonly status: TodoItem['status'];
}

interface TodoItem {
  readonly id: string;
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}

function todoItems(given: readonly GivenItem[]): readonly TodoItem[] {
  return given.map(({ id, text, status }, at) => ({
    id: id ?? `${at + 1}`,
    text: text.replaceAll(/\s+/g, ' ').trim(),
    status,
  }));
}

const MARKS: Readonly<Record<TodoItem['status'], string>> = { pending: '[ ]', in_progress: '[>]', done: '[x]' };

function todoText(items: readonly TodoItem[]): string {
  if (items.length === 0) return 'The list is empty.';
  const done = items.filter(({ status }) => status === 'done').length;
  const lines = items.map(({ id, text, status }) => `${MARKS[status]} ${id}. ${text}`);
  return [...lines, `${done} of ${items.length} done.`].join('\n');
}

const PROMPT = { type: 'string', description: 'Goal, files, limits, what to report' };

/** Starts a sub-agent. The host carries it out, since a sub-agent is its own run; here is only what agents see of it. */
export const taskTool = defineTool<{ prompt: string; role?: string }>({
  name: TASK_TOOL,
  description:
    'Give a part of your work to a sub-agent on the same files and get its last message back. It sees only the prompt.',
  parameters: objectSchema(['prompt'], {
    prompt: { ...PROMPT, minLength: 1, maxLength: 100_000 },
    role: { type: 'string', minLength: 1, maxLength: 100, description: 'Default: your own role' },
  }),
  // It is a run with a journal: asked for again, the same one goes on.
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve(refusedTool('Sub-agents can only be started by an agent in a run.')),
});

/** As a role is offered it: it names those that the role may start, since any other name is refused. */
export function taskSpec({ tasks, name }: Pick<Role, 'tasks' | 'name'>): ToolSpec {
  const { spec } = taskTool;
  if (tasks === undefined) return spec;
  const required = tasks.includes(name) ? ['prompt'] : ['prompt', 'role'];
  return {
    ...spec,
    parameters: {
      ...spec.parameters,
      properties: { prompt: PROMPT, role: { type: 'string', enum: [...tasks] } },
      required,
    },
  };
}

export const SETTLE_CONFLICT = 'settle_conflict';

/** Offered to agents whose workspace is merged into another; without a conflict it refuses. */
export const settleConflictTool = defineTool<{ path: string; take: 'mine' | 'other' }>({
  name: SETTLE_CONFLICT,
  description:
    'Resolve a merge conflict that your order lists as one without markers: keep your version (mine) or that of the other side.',
  parameters: objectSchema(['path', 'take'], {
    path: { type: 'string', minLength: 1 },
    take: { type: 'string', enum: ['mine', 'other'] },
  }),
  repeat: 'safe',
  access: 'write',
  onlyFiles: true,
  async run({ path, take }, { services }) {
    if (services?.conflicts === undefined) return refusedTool('There is nothing to settle here.');
    const { isSettled, open } = await services.conflicts.settle(path, take);
    const left = open.length === 0 ? 'None is left.' : `Left: ${open.join(', ')}.`;
    if (isSettled) return `Settled ${path}: ${take === 'mine' ? 'yours' : 'the other'} counts. ${left}`;
    return refusedTool(`There is no open conflict at ${path}. ${left}`);
  },
});

export const REPORT_PROGRESS = 'report_progress';

/** How far an agent says it is (PH5). Nobody else ever says it for the agent. */
export const reportProgressTool = defineTool<{ progress: number; message: string }>({
  name: REPORT_PROGRESS,
  description:
    'Report your progress to the people who watch. Report finished steps, not intentions. It does not end your turn.',
  parameters: objectSchema(['progress', 'message'], {
    progress: { type: 'number', minimum: 0, maximum: 1, description: 'From 0, just begun, to 1, all done' },
    message: { type: 'string', minLength: 1, maxLength: 500, description: 'The step you finished, in one line' },
  }),
  repeat: 'safe',
  access: 'talk',
  async run({ progress, message }, { services }) {
    if (services?.progress === undefined) return refusedTool('Progress cannot be reported here.');
    await services.progress.note(progress, message.replaceAll(/\s+/g, ' ').trim());
    return `Noted: ${Math.round(progress * 100)} %.`;
  },
});

/** Offered in turns that have to change files (A7). The engine reads the call itself: see `turn-progress.ts`. */
export const noChangeNeededTool = defineTool<{ reason: string }>({
  name: NO_CHANGE_TOOL,
  description:
    'State why your task needs no changed file, such as one that only asks a question. Without this call, the engine refuses ' +
    'an end without changes. It does not end your turn.',
  parameters: objectSchema(['reason'], {
    reason: { type: 'string', minLength: 1, maxLength: 1000 },
  }),
  repeat: 'safe',
  access: 'talk',
  run: () => Promise.resolve('Noted. Now give your answer.'),
});

export const SUBMIT_OUTPUT = 'submit_output';

/** The tool as offered to an agent: with all outputs of its turn. Null if there are none. */
export function submitOutputSpec(owed: readonly OwedOutput[]): ToolSpec | null {
  if (owed.length === 0) return null;
  const names = [...new Set(owed.map(({ name }) => name))];
  const parameters = objectSchema(['name', 'content'], {
    name: { type: 'string', enum: names, description: 'The output, as your order names it' },
    content: { ...contentSchema(owed), description: names.map((name) => `${name}: ${meant(name, owed)}`).join('\n') },
  });
  return { name: SUBMIT_OUTPUT, description: DESCRIPTION, parameters };
}

const DESCRIPTION =
  'Hand in an output that your order names. The engine checks it and writes the file, also if your role cannot write. It does not end your turn; handing in the same output again replaces it.';

const contentSchema = (owed: readonly OwedOutput[]): JsonObject =>
  owed.every(({ form }) => form === 'file')
    ? { type: 'string' }
    : { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

function meant(name: string, owed: readonly OwedOutput[]): string {
  const own = owed.filter((one) => one.name === name);
  const paths = own.flatMap(({ path }) => (path === null ? [] : [path])).join(', ');
  const form = own[0]?.form ?? 'file';
  if (form === 'file') return `the whole text of ${paths}`;
  const list = form === 'files' ? `paths of files that fit ${paths}` : 'paths of files that you created or changed';
  return `${list}: a list, or one a line`;
}

/**
 * The tool itself takes every output of the turn, so that one can be handed in again, and any JSON as content: the output decides
 * whether it fits.
 */
export function submitOutputTool(outputs: readonly OwedOutput[]): Tool {
  const names = [...new Set(outputs.map(({ name }) => name))];
  return defineTool<{ name: string; content: Json }>({
    name: SUBMIT_OUTPUT,
    description: DESCRIPTION,
    parameters: objectSchema(['name', 'content'], { name: { type: 'string', enum: names }, content: {} }),
    repeat: 'safe',
    // Not `write`: the engine writes, and only what was declared.
    access: 'talk',
    onlyFiles: true,
    run({ name, content }, { services }) {
      if (services?.outputs === undefined) return refusedTool('You owe no output here.');
      return services.outputs.hand(name, content);
    },
  });
}
