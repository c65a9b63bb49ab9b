import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../actors/port.ts';
import type { Json } from '../core/json.ts';
import type { Role } from '../core/role.ts';
import type { Limits, Workflow } from '../core/workflow.ts';
import { checkInput } from '../dialects/check-input.ts';
import { buildDefinition } from '../dialects/definition.ts';
import { workflowsOfModule } from '../dialects/source/workflow-module.ts';
import { valueOrFault } from '../dialects/source/checked.ts';
import { createEmbeddedHost } from '../host/embedded/embedded-host.ts';
import type { LiveEvent, RunRest, World } from '../host/port.ts';
import { systemClock } from '../host/system-clock.ts';
import { createMemoryJournal } from '../journal/memory/memory-journal.ts';
import type { Journal } from '../journal/port.ts';
import { redactingJournal } from '../journal/redacting-journal.ts';
import type { Sandbox, SandboxLevel } from '../sandbox/port.ts';
import type { Tool } from '../tools/port.ts';
import { createShell } from '../tools/shell.ts';
import { folderOnly } from '../workspace/folder-only.ts';
import { environmentSecrets } from './secrets/environment-secrets.ts';
import { newRunId } from './world/new-run-id.ts';

export interface RunWorkflowOptions {
  /** By name, or one bare text for the first input. */
  readonly input?: string | Readonly<Record<string, Json>>;
  /** Who answers: one actor for all roles, or one chosen by role. */
  readonly actor: Actor | ((role: Role) => Actor | Promise<Actor>);
  /** What is known of the roles; one that is only named in the workflow has no system message and every tool. */
  readonly roles?: Readonly<Record<string, Partial<Omit<Role, 'name'>>>>;
  /** Workflows that this one calls by name. */
  readonly library?: readonly Workflow[];
  readonly tools?: readonly Tool[];
  /** Where agents work; unless given, a new empty folder that is gone afterwards. */
  readonly folder?: string;
  /** What keeps commands in: what is best on this platform unless given. Where that does not work, the run is refused. */
  readonly sandbox?: SandboxLevel;
  /** In memory unless given. */
  readonly journal?: Journal;
  readonly limits?: Partial<Limits>;
  /** Values that are taken out of records and live text, besides keys and tokens of the environment. */
  readonly secrets?: readonly string[];
  readonly onLive?: (event: LiveEvent) => void;
}

/** Runs a workflow in this process until it is settled or waits for a person. */
export async function runWorkflow(workflow: Workflow, options: RunWorkflowOptions): Promise<RunRest> {
  const folder = createFolder(options.folder);
  const host = createEmbeddedHost(worldOf(options, folder.path));
  const stopListening = options.onLive === undefined ? () => undefined : host.onLive(options.onLive);
  try {
    const all = [...(options.library ?? []), ...workflowsOfModule({ default: workflow }), workflow];
    const definition = valueOrFault(buildDefinition(workflow.name, all, rolesOf(all, options)), 'WORKFLOW_INVALID');
    const input = valueOrFault(checkInput(workflow, options.input ?? null), 'INPUT_INVALID');
    const project = options.folder ?? process.cwd();
    const run = await host.start({ definition, input, limits: options.limits ?? {}, project });
    return await host.rest(run);
  } finally {
    stopListening();
    await host.shutdown();
    await folder.remove();
  }
}

function rolesOf(workflows: readonly Workflow[], options: RunWorkflowOptions): Readonly<Record<string, Role>> {
  const agents = workflows.flatMap((workflow) => workflow.agents.map((agent) => agent.role));
  // The others may be started as sub-agents.
  const names = [...agents, ...Object.keys(options.roles ?? {})];
  return Object.fromEntries(names.map((name) => [name, { name, ...PLAIN_ROLE, ...options.roles?.[name] }]));
}

const PLAIN_ROLE: Omit<Role, 'name'> = {
  level: 'base',
  systemMessage: '',
  examples: [],
  excludedTools: [],
  includedTools: null,
  parsingTools: [],
};

function worldOf(options: RunWorkflowOptions, folderFor: () => Promise<string>): World {
  const { actor } = options;
  const sandbox = sandboxFor(options.sandbox ?? null);
  const secrets = environmentSecrets(process.env);
  for (const value of options.secrets ?? []) secrets.add('secrets', value);
  return {
    journal: redactingJournal(options.journal ?? createMemoryJournal(), secrets),
    secrets,
    clock: systemClock,
    newRunId,
    owner: `${process.pid}/${randomUUID()}`,
    engine: 'troupe',
    actorFor: async (role) => (typeof actor === 'function' ? await actor(role) : actor),
    tools: options.tools ?? [],
    isolate: async () => (await import('../actors/script/isolate.ts')).createIsolate(),
    workspaces: folderOnly(folderFor),
    shell: createShell({ sandbox, hidden: [], environment: process.env }),
    sandbox: async () => (await sandbox()).level,
  };
}

/** Tried out when the first command is to be run. */
function sandboxFor(wanted: SandboxLevel | null): () => Promise<Sandbox> {
  let chosen: Promise<Sandbox> | null = null;
  return () => (chosen ??= openChosen(wanted));
}

async function openChosen(wanted: SandboxLevel | null): Promise<Sandbox> {
  const [{ findSandbox }, { chooseSandbox }] = await Promise.all([
    import('../sandbox/find-sandbox.ts'),
    import('../sandbox/choose-sandbox.ts'),
  ]);
  return chooseSandbox(await findSandbox({ scratch: join(tmpdir(), `troupe-sandbox-${process.pid}`) }), wanted);
}

interface WorkFolder {
  readonly path: () => Promise<string>;
  /** Removes it if it was made here. */
  readonly remove: () => Promise<void>;
}

function createFolder(given: string | undefined): WorkFolder {
  let made: Promise<string> | null = null;
  return {
    path: async () => given ?? (await (made ??= mkdtemp(join(tmpdir(), 'troupe-')))),
    remove: async () => {
      if (made !== null) await rm(await made, { recursive: true, force: true });
    },
  };
}
