import { cpSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { runId } from '../../src/core/model/ids.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import type { Act } from '../../src/protocol/operations/acts.ts';
import { gitProject, WRITING } from '../cli/file-projects.ts';
import { createSandbox, type Sandbox } from '../cli/sandbox.ts';
import { FACES, type Face, type OpenFace } from './faces.ts';
import { plainJournal } from './plain-journal.ts';

/** A question, then an agent that writes. */
const ASKING = {
  workflow_name: 'asking',
  input: { name: 'task', type: 'string' },
  output: { name: 'colour', type: 'string' },
  contexts: [{ name: 'talk' }],
  agents: [{ agent_role: 'worker', context: 'talk', role: 'assistant' }],
  states: [
    {
      name: 'start',
      action: { ask: { question: "'Which colour?'" } },
      transition: [{ target: 'work', before: 'this.common_data.colour = result' }],
    },
    { name: 'work', agent: 'worker', input: 'common_data.task', transition: [{ target: 'stop' }] },
    { name: 'stop' },
  ],
};

/** A run is named by the order in which it began. */
interface Case {
  readonly title: string;
  readonly act: (run: (number: number) => string) => Act;
  /** The code of the refusal that every face gives. */
  readonly refused?: string;
}

const start = (workflow: string, rest: object = {}): Act => ({
  kind: 'start',
  workflow,
  input: { task: 'Go' },
  ...rest,
});

const CASES: readonly Case[] = [
  { title: 'start', act: () => start('two_steps') },
  { title: 'start with delivery', act: () => start('two_steps', { deliver: { to: 'apply', verify: 'true' } }) },
  { title: 'start with a limit', act: () => start('two_steps', { limits: { iterations: 9 } }) },
  { title: 'start of an unknown workflow', act: () => start('three_steps'), refused: 'WORKFLOW_UNKNOWN' },
  {
    title: 'start with an unknown input',
    act: () => start('two_steps', { input: { tsak: 'x' } }),
    refused: 'INPUT_INVALID',
  },
  { title: 'start of a run that asks', act: () => start('asking') },
  { title: 'tell', act: (run) => ({ kind: 'tell', run: run(4), agent: 'worker', text: 'Use tabs.' }) },
  {
    title: 'tell an unknown agent',
    act: (run) => ({ kind: 'tell', run: run(4), agent: 'poet', text: 'x' }),
    refused: 'AGENT_UNKNOWN',
  },
  { title: 'pause', act: (run) => ({ kind: 'pause', run: run(4), reason: 'lunch' }) },
  {
    title: 'resume with a limit and a check for the delivery',
    act: (run) => ({ kind: 'resume', run: run(4), limits: { usd: 5 }, deliver: { verify: 'true' } }),
  },
  {
    title: 'answer a question that is not asked',
    act: (run) => ({ kind: 'answer', run: run(4), question: 'q9', text: 'x' }),
    refused: 'QUESTION_CLOSED',
  },
  { title: 'answer', act: (run) => ({ kind: 'answer', run: run(4), question: 'q1', text: 'red' }) },
  {
    title: 'answer a run that is over',
    act: (run) => ({ kind: 'answer', run: run(4), question: 'q1', text: 'blue' }),
    refused: 'QUESTION_CLOSED',
  },
  { title: 'fork', act: (run) => ({ kind: 'fork', run: run(1), at: 'again' }) },
  {
    title: 'fork with a changed input',
    act: (run) => ({ kind: 'fork', run: run(1), at: 'start', input: { task: 'Other' } }),
  },
  {
    title: 'fork with a message',
    act: (run) => ({ kind: 'fork', run: run(1), at: 'again', tell: [{ agent: 'worker', text: 'Be brief.' }] }),
  },
  {
    title: 'fork at an unknown step',
    act: (run) => ({ kind: 'fork', run: run(1), at: 'nowhere' }),
    refused: 'STEP_UNKNOWN',
  },
  { title: 'start of a run to cancel', act: () => start('asking') },
  { title: 'cancel', act: (run) => ({ kind: 'cancel', run: run(8), reason: 'not needed' }) },
  { title: 'cancel a run that is over', act: (run) => ({ kind: 'cancel', run: run(8) }), refused: 'RUN_SETTLED' },
  { title: 'pause a run that is over', act: (run) => ({ kind: 'pause', run: run(1) }), refused: 'RUN_SETTLED' },
  {
    title: 'deliver to a branch',
    act: (run) => ({ kind: 'deliver', run: run(3), to: { kind: 'branch', name: 'taken' } }),
  },
  { title: 'deliver into the files', act: (run) => ({ kind: 'deliver', run: run(3), to: { kind: 'apply' } }) },
  {
    title: 'deliver an unknown workspace',
    act: (run) => ({ kind: 'deliver', run: run(3), workspace: 'other' }),
    refused: 'WORKSPACE_UNKNOWN',
  },
  { title: 'discard', act: (run) => ({ kind: 'discard', run: run(5) }) },
  { title: 'take a discarded result back', act: (run) => ({ kind: 'discard', run: run(5), isUndone: true }) },
  { title: 'archive', act: (run) => ({ kind: 'archive', run: run(6) }) },
];

/** An agent gets the state of the run from each tool, and would not see a preview. */
const BY_PERSON: readonly Case[] = [
  { title: 'rollback, as a preview', act: (run) => ({ kind: 'rollback', run: run(1), to: 'start', isPreview: true }) },
];

const LAST: readonly Case[] = [
  { title: 'rollback', act: (run) => ({ kind: 'rollback', run: run(1), to: 'again' }) },
  {
    title: 'rollback to an unknown step',
    act: (run) => ({ kind: 'rollback', run: run(1), to: 'x' }),
    refused: 'STEP_UNKNOWN',
  },
];

type Story = Readonly<
  Record<string, { readonly refused: string | null; readonly records: readonly (readonly string[])[] }>
>;

async function tellStory(sandbox: Sandbox, face: Face, cases: readonly Case[]): Promise<Story> {
  const journal = await openSqliteJournal({ home: sandbox.home });
  const story: Record<string, Story[string]> = {};
  let known: readonly (readonly string[])[] = [];
  try {
    for (const { title, act } of cases) {
      const runs = (await journal.runs({ parent: null })).toSorted((a, b) => a.at - b.at);
      const refused = await face.does(act((number) => runs[number - 1]?.run ?? runId('none')));
      await vi.waitUntil(() => isAtRest(journal), { timeout: 30_000, interval: 25 });
      const records = await plainJournal(journal, sandbox);
      const news = records.map((lines, run) => lines.slice(known[run]?.length ?? 0));
      story[title] = { refused, records: news.filter((lines) => lines.length > 0) };
      known = records;
    }
    return story;
  } finally {
    await journal.close();
  }
}

/** No process drives a run: each has ended, or a person is needed. */
const isAtRest = async (journal: Journal): Promise<boolean> => (await journal.runs()).every(({ driven }) => !driven);

/** One repository is made; the others are copies of it. */
function projects(count: number): readonly Sandbox[] {
  const first = gitProject({ '.troupe/workflows/asking.json': JSON.stringify(ASKING), 'answers.yaml': WRITING });
  const copies = Array.from({ length: count - 1 }, () => {
    const copy = createSandbox();
    cpSync(first.project, copy.project, { recursive: true, verbatimSymlinks: true });
    return copy;
  });
  return [first, ...copies];
}

test(
  '[R2] the same operations through command line, HTTP, MCP and the library give the same journal',
  { timeout: 180_000 },
  async () => {
    const [byMcp, all] = [
      [...CASES, ...LAST],
      [...CASES, ...BY_PERSON, ...LAST],
    ];
    const { commandLine, http, library, mcp } = FACES;
    const [first, ...sandboxes] = projects(4);
    const play = async (open: OpenFace, sandbox = first): Promise<Story> => {
      if (sandbox === undefined) throw new Error('There is no project.');
      return await tellStory(sandbox, await open(sandbox), open === mcp ? byMcp : all);
    };
    const [byCommand, byAgent, ...others] = await Promise.all([
      play(commandLine),
      play(mcp, sandboxes[0]),
      play(http, sandboxes[1]),
      play(library, sandboxes[2]),
    ]);
    const refusals = all.map(({ title, refused = null }) => [title, refused]);
    expect(all.map(({ title }) => [title, byCommand[title]?.refused])).toEqual(refusals);
    for (const other of others) expect(other).toEqual(byCommand);
    expect(byAgent).toEqual(Object.fromEntries(byMcp.map(({ title }) => [title, byCommand[title]])));
  },
);
