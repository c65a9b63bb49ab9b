import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { createScriptedActor } from '../../src/actors/scripted/scripted-actor.ts';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { Workflow } from '../../src/core/model/workflow.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { loadWorkflowFile } from '../../src/formats/load-workflows.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import type { RunRest } from '../../src/host/port.ts';
import { dyingJournal } from '../../src/host/testing/dying-journal.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { loadRoles } from '../../src/source/roles/load-roles.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { codeHash } from '../../src/workspace/reached-files.ts';
import { GOLDEN_INPUTS, goldenRun } from '../requests/golden-runs.ts';
import {
  answerAll,
  openRecording,
  recordingPlace,
  type RecordingPlace,
  type RunToRecord,
} from '../requests/record-run.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The files of the examples, with what one run of each is given and what a person answers. */
const EXAMPLES: Readonly<Record<string, { readonly input: JsonObject; readonly answers?: readonly string[] }>> = {
  'blog_post.ts': { input: { goal: 'How to sharpen a knife' } },
  'bug_triage.yaml': { input: { report: 'It says crash.' } },
  'release_notes.json': { input: { changes: 'Fixed #41' } },
  'ship_it.ts': { input: { news: 'Version 2' }, answers: ['ship it'] },
  'three_estimates.ts': { input: { task: 'A parser' } },
  'two_in_parallel.ts': { input: { occasion: 'a birthday' } },
  'demo/slug_review.yaml': {
    input: { task: 'Write slug()' },
    answers: ['REVISE_BEST smart_coder', 'APPROVE smart_coder'],
  },
};

/** Every workflow that comes with Troupe or stands in its examples, but those that only run below another. */
export const EVERY_WORKFLOW: readonly string[] = [...Object.keys(GOLDEN_INPUTS), ...Object.keys(EXAMPLES)];

const runOf = async (name: string): Promise<RunToRecord> =>
  EXAMPLES[name] === undefined ? await goldenRun(name) : await exampleRun(name, EXAMPLES[name]);

async function exampleRun(
  name: string,
  { input, answers = [] }: { readonly input: JsonObject; readonly answers?: readonly string[] },
): Promise<RunToRecord> {
  const folder = join(ROOT, 'examples');
  const isDemo = name.startsWith('demo/');
  const workflows = await exampleWorkflows(name);
  const roles = await (exampleRoles ??= loadExampleRoles(folder));
  const definition = valueOrFault(buildDefinition(workflows[0]?.name ?? '', workflows, roles), 'INTERNAL');
  const actor = scenarioActor(join(folder, isDemo ? 'demo/review.yaml' : 'scenario.yaml'));
  const files = isDemo
    ? demoFiles(join(folder, 'demo/project'))
    : { 'menu.txt': readFileSync(join(folder, 'menu.txt'), 'utf8') };
  return {
    definition,
    input,
    answers,
    files,
    script: () => undefined,
    world: { actorFor: () => Promise.resolve(actor) },
  };
}

/** Read once for all runs. */
let exampleRoles: ReturnType<typeof loadExampleRoles> | undefined;

const loadExampleRoles = async (folder: string) =>
  mergeRoles((await loadShipped()).roles, valueOrFault(await loadRoles(join(folder, '.troupe/roles')), 'INTERNAL'));

const exampleWorkflows = async (name: string): Promise<readonly Workflow[]> =>
  valueOrFault(
    await loadWorkflowFile(join(ROOT, 'examples', name), { hashOf: (file) => codeHash(file).hash }),
    'WORKFLOW_INVALID',
  );

const demoFiles = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['README.md', 'package.json', 'test/slug.test.js'].map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );

/** The scripted model of the example, at once instead of at a pace that can be followed. */
function scenarioActor(file: string) {
  const scenario = parseScenario(atOnce(load(readFileSync(file, 'utf8')) as Json));
  if (scenario.kind !== 'parsed') throw new Error(JSON.stringify(scenario.problems));
  return createScriptedActor(scenario.scenario);
}

function atOnce(value: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => atOnce(one));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value as JsonObject).filter(([key]) => !/^(?:delay_ms|pace_ms|chunk)$/.test(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, atOnce(one)]));
}

export interface Played {
  readonly rest: RunRest;
  /** To the journal. */
  readonly writes: number;
  /** The states that the run went through, however often. */
  readonly states: ReadonlySet<string>;
}

const RUN = runId('run-1');

/** One run from beginning to end, in this process. */
export async function played(name: string): Promise<Played> {
  const run = await runOf(name);
  const place = recordingPlace(run, false);
  const journal = dyingJournal(createMemoryJournal(), { afterAppends: Infinity });
  try {
    const rest = await play(run, place, { journal, isResumed: false });
    return { rest, writes: journal.writes(), states: await statesOf(journal) };
  } finally {
    rmSync(place.base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The run, whose process is killed with -9 after so many writes; this process takes it to its end. */
export async function killed(name: string, after: number): Promise<Omit<Played, 'writes'>> {
  const run = await runOf(name);
  const place = recordingPlace(run, false);
  try {
    const { signal, stderr } = spawnSync(process.execPath, [PLAYER, name, JSON.stringify(place), String(after)], {
      encoding: 'utf8',
      // One that hangs is ended with another signal, and fails by name.
      timeout: 50_000,
    });
    if (signal !== 'SIGKILL') throw new Error(`${name} ended before write ${after}: ${stderr}`);
    const journal = await openSqliteJournal({ home: place.home });
    try {
      const rest = await play(run, place, { journal, isResumed: true });
      return { rest, states: await statesOf(journal) };
    } finally {
      await journal.close();
    }
  } finally {
    rmSync(place.base, { recursive: true, force: true, maxRetries: 5 });
  }
}

const PLAYER = join(import.meta.dirname, 'play-and-die.ts');

/** The first part of a run that is `killed`: this process ends at the given write. */
export async function playAndDie(name: string, place: RecordingPlace, after: number): Promise<void> {
  const kept = await openSqliteJournal({ home: place.home });
  const journal = dyingJournal(kept, { afterAppends: after, die: () => process.kill(process.pid, 'SIGKILL') });
  await play(await runOf(name), place, { journal, isResumed: false });
}

interface Play {
  readonly journal: Journal;
  readonly isResumed: boolean;
}

async function play(run: RunToRecord, place: RecordingPlace, { journal, isResumed }: Play): Promise<RunRest> {
  const world = { ...run.world, owner: `${process.pid}/play` };
  const { host, close } = openRecording({ ...run, world }, place, journal);
  try {
    if (isResumed) await host.resume(RUN);
    else await host.start({ definition: run.definition, input: run.input, project: place.project, run: RUN });
    return await answerAll(host, RUN, run);
  } finally {
    await close();
  }
}

async function statesOf(journal: Journal): Promise<ReadonlySet<string>> {
  const facts = (await journal.read(RUN)).map(({ fact }) => fact);
  return new Set(facts.flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : [])));
}
