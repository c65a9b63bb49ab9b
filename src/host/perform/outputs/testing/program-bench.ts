import { onTestFinished } from 'vitest';
import type { CallReply, CallRequest } from '../../../../actors/port.ts';
import type { Fact } from '../../../../core/record/fact.ts';
import type { TaskEnded, TaskStarted } from '../../../../core/record/task-fact.ts';
import type { Noted } from '../../../../core/record/files-fact.ts';
import { runId, type RunId } from '../../../../core/model/ids.ts';
import type { Json, JsonObject } from '../../../../core/model/json.ts';
import type { Role } from '../../../../core/model/role.ts';
import type { Definition } from '../../../../core/model/definition.ts';
import type { State, Work, Workflow } from '../../../../core/model/workflow.ts';
import type { Journal } from '../../../../journal/port.ts';
import { createMemoryJournal } from '../../../../journal/memory/memory-journal.ts';
import { allTools } from '../../../../tools/all-tools.ts';
import type { WorkspaceSettings } from '../../../../workspace/port.ts';
import { git, testProject } from '../../../../workspace/testing/test-project.ts';
import { createWorkspaces } from '../../../../workspace/workspaces.ts';
import { createEmbeddedHost } from '../../../embedded/embedded-host.ts';
import type { Host } from '../../../port.ts';
import type { Formats, EngineProgram, World } from '../../../world.ts';
import { build, end, expression, to, turn, work } from '../../../testing/build-definition.ts';
import { dyingJournal } from '../../../testing/dying-journal.ts';
import { says, testWorld } from '../../../testing/test-world.ts';
import { recordsOf, treeEntries, type JournalTreeRecord } from '../journal-tree.ts';

/** One step of a test. */
export type BenchStep =
  /** A program is called; its answer is kept as `common_data.NAME`, if a name is given. */
  | { readonly ask: string; readonly input: string; readonly as?: string; readonly agent?: string }
  /** An agent writes files with its tool, one call each. */
  | { readonly by: string; readonly writes: Readonly<Record<string, string>> }
  | { readonly by: string; readonly uses: readonly ToolUse[] }
  /** Something outside the run changes the folder of the shared workspace. */
  | { readonly meddle: (folder: string) => void }
  /** Facts are noted as a tool would. */
  | { readonly notes: readonly Noted[] }
  | { readonly work: Work };

interface ToolUse {
  readonly name: string;
  readonly input: JsonObject;
}

export interface BenchOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The project is a git repository, so that its ignore rules count. */
  readonly isGit?: true;
  readonly roles?: Readonly<Record<string, Partial<Role>>>;
  /** By agent. Default: the shared workspace. */
  readonly workspaces?: Readonly<Record<string, string>>;
  readonly settings?: WorkspaceSettings;
  readonly library?: Readonly<Record<string, Workflow>>;
  /** The first data of the workflow. */
  readonly data?: JsonObject;
  /** The settings for the programs of a family. */
  readonly plan?: JsonObject;
  readonly world?: Partial<World>;
  /** The process dies after so many writes to the journal, and another one continues. */
  readonly diesAfter?: number;
}

/** The result of running such steps. */
export interface Benched {
  readonly run: RunId;
  /** The answers of the programs, in order. */
  readonly answers: readonly Answer[];
  readonly facts: readonly Fact[];
  /** Of the shared workspace. */
  readonly folder: string;
  /** To the journal, by the process that did not die. */
  readonly writes: number;
}

export type Answer = Pick<TaskEnded, 'outcome' | 'output' | 'failure'>;

/** For tests: programs asked by a run, on a real project and real workspaces. It ends where one of them fails. */
export async function askPrograms(steps: readonly BenchStep[], options: BenchOptions = {}): Promise<Benched> {
  const { project, home } = testProject(options.files ?? {});
  if (options.isGit === true) git(project, 'init', '--quiet');
  const workspaces = createWorkspaces({ home, settings: { method: 'copy', ...options.settings } });
  const kept = createMemoryJournal({ isAlive: (owner) => owner !== DEAD });
  const journal = dyingJournal(kept, { afterAppends: options.diesAfter ?? Infinity });
  const run = runId('run-1');
  const folder = workspaces.folderOf(run, 'main');
  const hostOn = (one: Journal, owner: string): Host => {
    const answer = (request: CallRequest): CallReply => answerOf(steps, request, folder);
    const base = testWorld({ journal: one, owner, answer, tools: allTools, workspaces });
    return createEmbeddedHost({ ...base, formats: noting(base.formats, steps), ...options.world });
  };
  const first = hostOn(journal, DEAD);
  onTestFinished(() => workspaces.close());
  await first.start({ definition: definitionOf(steps, options), input: {}, project, run });
  await Promise.race([first.rest(run), journal.died]);
  if (!journal.isDead()) await first.shutdown();
  else if ((await kept.run(run))?.status !== 'settled') await goOn(hostOn(kept, 'alive'), run);
  const records = await treeEntries(kept, run);
  const facts = records.map(({ fact }) => fact);
  return { run, facts, folder, answers: answersIn(records), writes: journal.writes() };
}

const DEAD = 'dead';

async function goOn(host: Host, run: RunId): Promise<void> {
  await host.resume(run);
  await host.rest(run);
  await host.shutdown();
}

function answersIn(records: readonly JournalTreeRecord[]): readonly Answer[] {
  const isAsked = ({ fact: { work: one } }: JournalTreeRecord<TaskStarted>): boolean =>
    one.kind === 'compute' && one.program !== NOTING;
  const asked = new Set(
    recordsOf(records, 'task.started')
      .filter(isAsked)
      .map(({ run, fact }) => `${run} ${fact.task}`),
  );
  return recordsOf(records, 'task.ended')
    .filter(({ run, fact }) => asked.has(`${run} ${fact.task}`))
    .map(({ fact: { outcome, output, failure } }) => ({ outcome, output, failure }));
}

const NOTING = 'test.notes';

function noting(formats: Formats, steps: readonly BenchStep[]): Formats {
  const program: EngineProgram = async (_context, { input }) => {
    const step = steps[Number(input)];
    return { output: null, facts: step !== undefined && 'notes' in step ? step.notes : [] };
  };
  return { ...formats, program: async (name) => (name === NOTING ? program : await formats.program(name)) };
}

/** For tests: a workflow of such steps that others call; it gives what it keeps as `output`. */
export const workflowOf = (steps: readonly BenchStep[], output: string): Workflow =>
  definitionOf(steps, { output: `common_data.${output}` }).workflow;

function definitionOf(
  steps: readonly BenchStep[],
  {
    roles = {},
    workspaces = {},
    library = {},
    data = {},
    plan,
    output = null,
  }: BenchOptions & { readonly output?: string | null },
): Definition {
  const speakers = steps.flatMap((step) => ('by' in step ? [step.by] : []));
  const names = [...new Set(['coder', ...Object.keys(roles), ...speakers])];
  const states = steps.map((step, at): State => {
    const next = at + 1 === steps.length ? 'stop' : `s${at + 1}`;
    const assign = 'ask' in step && step.as !== undefined ? { assign: `this.common_data.${step.as} = result` } : {};
    return work(`s${at}`, workOf(step, at), [to(next, assign)]);
  });
  const all = Object.fromEntries(names.map((name) => [name, roles[name] ?? {}]));
  const definition = build({
    roles: all,
    states: [...states, end('stop', output)],
    library,
    data,
    ...(plan === undefined ? {} : { plan }),
  });
  const agents = definition.workflow.agents.map((agent) => {
    const workspace = workspaces[agent.name];
    return workspace === undefined ? agent : { ...agent, workspace };
  });
  return { ...definition, workflow: { ...definition.workflow, agents } };
}

function workOf(step: BenchStep, at: number): Work {
  if ('work' in step) return step.work;
  if ('meddle' in step) return turn('coder', "'go'");
  if ('by' in step) return turn(step.by, "'go'");
  if ('notes' in step) return { kind: 'compute', program: NOTING, input: expression(String(at)) };
  const agent = step.agent === undefined ? {} : { agent: step.agent };
  return { kind: 'compute', program: step.ask, input: expression(step.input), ...agent };
}

function answerOf(steps: readonly BenchStep[], { state, call }: CallRequest, folder: string): CallReply {
  const step = steps[Number(state.slice(1))];
  if (step !== undefined && 'meddle' in step) step.meddle(folder);
  const use = step === undefined ? undefined : usesOf(step)[call - 1];
  if (use === undefined) return says('done');
  return says('', [{ id: `${state}-${call}`, name: use.name, arguments: use.input }]);
}

function usesOf(step: BenchStep): readonly ToolUse[] {
  if ('uses' in step) return step.uses;
  if (!('writes' in step)) return [];
  return Object.entries(step.writes).map(([path, content]) => ({ name: 'write_file', input: { path, content } }));
}

/** For tests: a value as it stands in an expression; `$` before a text makes it an expression itself. */
export function written(value: Json): string {
  if (typeof value === 'string') return value.startsWith('$') ? value.slice(1) : JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one: Json) => written(one)).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${written(one)}`)
    .join(', ')}}`;
}

/** For tests: a phase begins; where an agent is given, in its workspace. */
export const begins = (phase: string, input: JsonObject = {}, agent?: string): BenchStep => ({
  ask: 'step.begin',
  as: phase,
  ...(agent === undefined ? {} : { agent }),
  input: written({ phase, agent: `${phase}_agent`, type: 'execution', inputs: {}, needs: [], handoff: null, ...input }),
});

/** For tests: what the phase of that name made is collected, as `NAMEd`. */
// oxlint-disable-next-line eslint/max-params -- reads like the phase it collects
export const collects = (
  phase: string,
  outputs: readonly JsonObject[],
  input: JsonObject = {},
  agent?: string,
): BenchStep => ({
  ask: 'step.collect',
  as: `${phase}d`,
  ...(agent === undefined ? {} : { agent }),
  input: written({
    phase,
    agent: `${phase}_agent`,
    type: 'execution',
    outputs,
    since: `$common_data.${phase}.since`,
    dependencies: [],
    criteria: [],
    ...input,
  }),
});
