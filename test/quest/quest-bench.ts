import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { NO_CHANGE_TOOL } from '../../src/core/step/turn/owed-changes.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { documentsOf } from '../../src/formats/families.ts';
import { findAssets, loadShipped } from '../../src/formats/load-assets.ts';
import { readDocument } from '../../src/source/read-document.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench } from '../workspaces/bench.ts';

/** A quest as it is shipped, on a real git project with real workspaces; only what the models say is the test's. */
export class QuestBench {
  readonly bench: FilesBench;
  host: Host;
  readonly calls: Heard[] = [];
  /** What the plot says stands: else an agent that changed nothing says that nothing has to be changed. */
  isStrict = false;
  /** How the user changed the shipped file. */
  changed: (file: string) => string = (file) => file;
  #run: RunId = runId('none');

  constructor(plot: Plot, files: Readonly<Record<string, string>> = {}) {
    this.bench = new FilesBench({
      files: { 'readme.txt': 'a sample\n', ...files },
      answer: async (request) => await this.#answer(plot, request),
    });
    git(this.bench.project, ['init', '-q']);
    git(this.bench.project, ['add', '.']);
    git(this.bench.project, ['commit', '-q', '-m', 'first']);
    this.host = this.bench.host().host;
  }

  async #answer(plot: Plot, request: CallRequest): Promise<CallReply> {
    const heard = hear(request);
    this.calls.push(heard);
    const last = request.messages.at(-1)?.content ?? '';
    const isOnlyUnchanged = last.includes('sees no changed file') && !last.includes('This is missing');
    if (isOnlyUnchanged && !this.isStrict)
      return calls(NO_CHANGE_TOOL, { reason: 'The test is about something else.' });
    return (await plot(heard)) ?? byDefault(heard);
  }

  /** Until it rests: settled, or with a question. */
  async start(input: JsonObject = {}): Promise<RunRest> {
    const definition = await questDefinition(this.changed);
    const ward = definition.workflow.inputs.some(({ name }) => name === 'ward') ? { ward: [] } : {};
    const given = { request: 'A greeter', ...ward, ...input };
    this.#run = await this.host.start({ definition, input: given, project: this.bench.project });
    return await this.host.rest(this.#run);
  }

  async answer(text: string): Promise<RunRest> {
    await this.host.answer(this.#run, { answer: text, by: 'ann' });
    return await this.host.rest(this.#run);
  }

  /** A new process, as it were, goes on with what the last one left. */
  async restart(): Promise<void> {
    await this.host.shutdown();
    this.host = this.bench.host().host;
    await this.host.resume(this.#run);
    await this.host.rest(this.#run);
  }

  get run(): RunId {
    return this.#run;
  }

  /** A file of the quest's own files. */
  read(path: string): string {
    return readFileSync(join(this.bench.home, 'runs', this.#run, 'work', path), 'utf8');
  }

  /** The messages to agents, by role, in the order in which turns began. */
  turnsOf(role: string, step?: string): readonly Heard[] {
    return this.calls.filter((one) => one.role === role && one.call === 1 && (step === undefined || one.step === step));
  }

  /** The journals of the steps, by the id of the step. */
  async steps(): Promise<ReadonlyMap<string, readonly Fact[]>> {
    const children = await this.bench.journal.runs({ parent: this.#run });
    const journals = await Promise.all(children.map(async ({ run }) => await this.bench.facts(run)));
    return new Map(journals.map((facts) => [stepOf(facts), facts]));
  }
}

function stepOf(facts: readonly Fact[]): string {
  const started = facts.find((fact) => fact.kind === 'run.started');
  const { id } = (started?.input['step'] ?? {}) as { readonly id?: string };
  return id ?? '';
}

/** What one agent hears in one call. */
export interface Heard {
  readonly role: string;
  readonly step: string;
  /** Which turn of this role in its run, and which call of the turn. */
  readonly visit: number;
  readonly call: number;
  readonly run: string;
  /** The last message of the workflow. */
  readonly prompt: string;
  /** How many messages it sees. */
  readonly seen: number;
}

export type Plot = (heard: Heard) => CallReply | undefined | Promise<CallReply | undefined>;

function hear({ role, visit, call, run, messages }: CallRequest): Heard {
  const prompt = messages.findLast((one) => one.role === 'user')?.content ?? '';
  const all = messages.map(({ content }) => content).join('\n');
  const step = /(?:[Yy]our step is|the step|The step(?: to test)? is|for the step) "([^"]+)"/.exec(all)?.[1] ?? '';
  return { role: role.name, step, visit, call, run, prompt, seen: messages.length };
}

/** Everybody does what is asked and is content. */
function byDefault({ role, step }: Heard): CallReply {
  if (role === 'chaoswhisperer') return requirements(['It greets.']);
  if (role === 'pathseeker') return plan([{ id: 'one' }]);
  return signals('complete', { stepId: role === 'lawbringer' ? 'review' : step, summary: `${role} did ${step}` });
}

let count = 0;

const calls = (name: string, input: JsonObject): CallReply =>
  says('', [{ id: `${name}-${(count += 1)}`, name, arguments: input }]);

export const signals = (signal: string, more: JsonObject): CallReply => calls('signal_back', { signal, ...more });

export const requirements = (list: readonly string[]): CallReply =>
  calls('set_requirements', { requirements: list, contexts: [], observables: [] });

interface Planned {
  readonly id: string;
  readonly after?: readonly string[];
  readonly files?: readonly string[];
  readonly checks?: readonly string[];
}

export const plan = (steps: readonly Planned[]): CallReply =>
  calls('plan_steps', {
    steps: steps.map(({ id, after = [], files = [], ...more }): Json => ({
      id,
      title: `Do ${id}`,
      after,
      files,
      acceptance: ['it is there'],
      ...more,
    })),
  });

/** Writes a file in the first call of a turn; what comes after is left to others. */
export const writes = (path: string, content: string): CallReply => calls('write_file', { path, content });

export const runs = (command: string): CallReply => calls('execute_terminal', { command });

async function questDefinition(changed: (file: string) => string): Promise<Definition> {
  const file = changed(readFileSync(join(findAssets(), 'workflows', 'quest.yaml'), 'utf8'));
  const { document, locate } = valueOrFault(readDocument(file, { file: 'quest.yaml' }), 'INTERNAL');
  const quest = valueOrFault(documentsOf(document).parse(document, { file: 'quest.yaml', locate }), 'INTERNAL');
  const roles = mergeRoles((await loadShipped()).roles);
  return valueOrFault(buildDefinition(quest[0]?.name ?? '', quest, roles), 'INTERNAL');
}

function git(folder: string, words: readonly string[]): void {
  const who = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org'];
  const { status, stderr } = spawnSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
