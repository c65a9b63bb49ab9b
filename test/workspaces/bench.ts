import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import type { RunId } from '../../src/core/model/ids.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { AgentSpec } from '../../src/core/model/workflow.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { build, turn, type BuildOptions } from '../../src/host/testing/build-definition.ts';
import { says, testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { chooseSandbox } from '../../src/sandbox/find-sandbox.ts';
import { knownSandbox } from '../../src/sandbox/testing/known-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { createShell } from '../../src/tools/shell.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import type { WorkspaceSettings } from '../../src/workspace/port.ts';

/** A real project, a real home, real workspaces, tools and sandbox; only the model's answers are the test's. */
export class FilesBench {
  readonly project: string;
  readonly home: string;
  readonly journal: Journal;
  readonly #answer: Answer;
  readonly #settings: WorkspaceSettings;

  constructor(options: BenchOptions) {
    const base = mkdtempSync(join(tmpdir(), 'troupe-files-'));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    this.project = join(base, 'project');
    this.home = join(base, 'home');
    mkdirSync(this.project);
    writeFiles(this.project, options.files);
    this.journal = options.journal ?? createMemoryJournal();
    this.#answer = options.answer;
    this.#settings = options.settings ?? {};
  }

  /** A host as a new process would have it, on the same journal and disk. */
  host(more: Partial<World> = {}): { readonly host: Host; readonly world: World } {
    const workspaces = createWorkspaces({ home: this.home, settings: this.#settings });
    const open = sandboxOf(this.home);
    const base = testWorld({
      journal: this.journal,
      answer: this.#answer,
      tools: allTools,
      workspaces,
      shell: createShell({ sandbox: open, hidden: [this.home], environment: WITH_OWN_NODE }),
    });
    const world: World = { ...base, sandbox: async () => (await open()).level, ...more };
    const host = createEmbeddedHost(world);
    onTestFinished(async () => {
      await host.shutdown();
      await workspaces.close();
    });
    return { host, world };
  }

  async facts(run: RunId): Promise<readonly Fact[]> {
    return (await this.journal.read(run)).map(({ fact }) => fact);
  }
}

/** Commands run on the Node that runs the tests, wherever the project was checked out: a link to it may lead into a hidden place. */
const WITH_OWN_NODE = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };

export interface BenchOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly answer: Answer;
  readonly journal?: Journal;
  readonly settings?: WorkspaceSettings;
}

type Answer = (request: CallRequest, signal: AbortSignal) => Promise<CallReply> | CallReply;

function sandboxOf(home: string): () => Promise<Sandbox> {
  let chosen: Promise<Sandbox> | null = null;
  return () => (chosen ??= knownSandbox(join(home, 'sandbox')).then((found) => chooseSandbox(found, null)));
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** One tool call. */
export const uses = (name: string, input: JsonObject, id = name): CallReply =>
  says('', [{ id, name, arguments: input }]);

/** Agents with their own settings, by name. */
export function withAgents(options: BuildOptions, agents: Readonly<Record<string, Partial<AgentSpec>>>) {
  const definition = build(options);
  const { workflow } = definition;
  return {
    ...definition,
    workflow: { ...workflow, agents: workflow.agents.map((agent) => ({ ...agent, ...agents[agent.name] })) },
  };
}

/** Ann and Bob edit at the same time, each in its own workspace. */
export const BOTH_EDIT = {
  kind: 'pool',
  units: {
    kind: 'fixed',
    list: [
      { id: 'a', after: [], work: turn('ann', "'edit'") },
      { id: 'b', after: [], work: turn('bob', "'edit'") },
    ],
  },
  slots: 2,
  join: { rule: 'all' },
  grow: null,
} as const;

/** A workflow of the two, each with its own files. */
export const annAndBob = (states: BuildOptions['states']) =>
  withAgents({ roles: { ann: {}, bob: {} }, states }, { ann: { workspace: 'own' }, bob: { workspace: 'own' } });
