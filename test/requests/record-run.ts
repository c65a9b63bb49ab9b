import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTick, setTimeout as delay } from 'node:timers/promises';
import type { ModelConfig } from '../../src/actors/model/model-config.ts';
import { createModelActor } from '../../src/actors/model/model-actor.ts';
import { createFormats } from '../../src/formats/registry/programs.ts';
import type { ScriptedRequest } from '../../src/actors/scripted/scripted-request.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { testWorld, type TestCommand } from '../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../src/journal/port.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import { git, writeFiles } from '../../src/workspace/testing/test-project.ts';
import { createWorkspaces } from '../../src/workspace/workspaces.ts';
import { scriptedWire, type Script, type SentRequest } from './scripted-wire.ts';

export interface RunToRecord {
  readonly definition: Definition;
  readonly input: JsonObject;
  readonly script: Script;
  readonly files?: Readonly<Record<string, string>>;
  readonly model?: Partial<ModelConfig>;
  /** How long the model takes to begin its answer: requests that leave meanwhile find none of it in a cache. */
  readonly latencyMs?: number;
  /** Agents that start together and share a conversation: each is answered when the one before it is done. */
  readonly inOrder?: readonly string[];
  /** The run that has to be over before a request is answered. */
  readonly after?: (who: ScriptedRequest) => string | null;
  /** The engine's and the agents' commands; all succeed by default. */
  readonly runCommand?: TestCommand;
  /** A person's answers to questions, in order. */
  readonly answers?: readonly string[];
  /** Other parts of the host. */
  readonly world?: Partial<World>;
}

export interface RecordedRun {
  readonly sent: readonly SentRequest[];
  readonly rest: RunRest;
  /** Every name that differs from one recording to the next, with what stands for it. */
  readonly folders: ReadonlyMap<string, string>;
  readonly journal: Journal;
  readonly run: RunId;
  readonly model: ModelConfig;
}

const MODEL: ModelConfig = {
  name: 'scripted',
  provider: 'anthropic',
  // Loopback, where calls say whose they are; nothing listens there.
  baseUrl: 'http://127.0.0.1:9/v1',
  model: 'claude-sonnet-5',
  apiKey: 'none',
};

/** A whole run in this process, with real workspaces and tools and the real SDK: the model's wire, the shell and the setup are scripted. */
export async function recordRun(run: RunToRecord): Promise<RecordedRun> {
  const place = recordingPlace(run);
  const journal = createMemoryJournal();
  const opened = openRecording(run, place, journal);
  const { project, home, base } = place;
  try {
    const id = await opened.host.start({ definition: run.definition, input: run.input, project });
    const rest = await answerAll(opened.host, id, run);
    const folders = new Map([
      [project, '/project'],
      [home, '/home'],
      [base, '/base'],
    ]);
    return { sent: opened.sent, rest, folders, journal, run: id, model: opened.model };
  } finally {
    await opened.close();
    rmSync(base, { recursive: true, force: true });
  }
}

export interface RecordingPlace {
  readonly base: string;
  readonly project: string;
  readonly home: string;
}

/** A project, and an empty home. */
export function recordingPlace(
  { files = { 'readme.txt': 'a sample\n' } }: Pick<RunToRecord, 'files'>,
  hasGit = true,
): RecordingPlace {
  const base = mkdtempSync(join(tmpdir(), 'troupe-requests-'));
  const [project, home] = [join(base, 'project'), join(base, 'home')];
  mkdirSync(project);
  writeFiles(project, files);
  if (hasGit) {
    git(project, 'init', '--quiet');
    git(project, 'add', '--all');
    git(project, 'commit', '--quiet', '--message', 'Begin');
  }
  return { base, project, home };
}

/** A host as a new process would have it. */
export function openRecording(run: RunToRecord, { base, project, home }: RecordingPlace, journal: Journal) {
  const runSetup = () => Promise.resolve({ exitCode: 0, output: '' });
  const workspaces = createWorkspaces({ home, settings: { setup: 'npm ci' }, runSetup });
  const wire = scriptedWire(run.script, async (who) => {
    const { run: id = '', agent = '' } = who;
    const first = run.after?.(who) ?? null;
    if (first !== null) await untilOver(journal, runId(first));
    if (run.latencyMs !== undefined) await delay(run.latencyMs);
    const before = run.inOrder?.indexOf(agent) ?? 0;
    while ((await endedTasks(journal, runId(id))) < before) await nextTick();
  });
  const model = { ...MODEL, ...run.model };
  const actor = createModelActor(model, wire.fetch);
  let runs = 0;
  const world: World = {
    ...testWorld({
      journal,
      answer: () => {
        throw new Error('The scripted wire answers.');
      },
      tools: allTools,
      workspaces,
      folder: project,
      sandbox: 'bubblewrap',
      ...(run.runCommand === undefined ? {} : { runCommand: run.runCommand }),
    }),
    testCommands: () => Promise.resolve(['npm test']),
    newRunId: () => runId(`run-${(runs += 1)}`),
    actorFor: () => Promise.resolve(actor),
    formats: createFormats({ home: join(base, 'stages'), tell: () => undefined }),
    ...run.world,
  };
  const host = createEmbeddedHost(world);
  const close = async (): Promise<void> => {
    await host.shutdown();
    await workspaces.close();
  };
  return { host, model, sent: wire.sent, close };
}

/** Until it rests for good, with a person's answers. */
export async function answerAll(
  host: Host,
  id: RunId,
  { answers = [] }: Pick<RunToRecord, 'answers'>,
): Promise<RunRest> {
  let rest = await host.rest(id);
  for (const answer of answers) {
    if (rest.status !== 'waiting') break;
    await host.answer(id, { answer, by: 'ann' });
    rest = await host.rest(id);
  }
  return rest;
}

async function untilOver(journal: Journal, run: RunId): Promise<void> {
  while (!(await journal.read(run)).some(({ fact }) => fact.kind === 'run.settled')) await nextTick();
}

const endedTasks = async (journal: Journal, run: RunId): Promise<number> =>
  (await journal.read(run)).filter(({ fact }) => fact.kind === 'task.ended').length;
