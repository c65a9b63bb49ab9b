import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../src/core/model/json.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { parseStateMachine } from '../../src/formats/state-machine/parse-state-machine.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { openTreeStore } from '../../src/workspace/store/tree-store.ts';
import { folderBytes } from '../harness/folder-bytes.ts';
import { report, settings } from '../harness/report.ts';
import { loopModel } from '../workload.ts';
import { makeSourceProject } from './source-project.ts';
import { answer, loopActor, role, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';

/**
 * What one of something takes of processor time and of the disk when there are so many of them.
 * Alone: node bench/jobs/growth.ts '{"what":"agents","size":100,"folder":"…"}'
 */
const { what, size, folder } = settings() as { what: keyof typeof WORK; size: number; folder: string };

interface Taken {
  readonly bytes: number;
  /** How many there really were. */
  readonly count: number;
}

const WORK = { runs, records, agents, files };
const AT_ONCE = 100;
const RECORDS_A_TURN = 4.5;
const SMALL = { runs: 20, records: 200, agents: 5, files: 40 };

// Once in small, so that compiling is not measured.
await WORK[what](SMALL[what], made('small'));
const place = made('measured');
const project = what === 'files' ? makeProject(place, size) : '';
const before = process.cpuUsage();
const { bytes, count } = await WORK[what](size, place, project);
const { user, system } = process.cpuUsage(before);
report({ us: (user + system) / count, bytes: bytes / count });

function made(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Runs of two turns each, a hundred at a time. */
async function runs(total: number, home: string): Promise<Taken> {
  const { journal, taken } = await opened(home);
  const host = benchHost(journal, { kind: 'bench', call: async () => answer('Done.', []) });
  const definition = teamOf(2);
  for (let done = 0; done < total; done += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, total - done) }, () =>
      host.start({ definition, input: { task: 'Write a parser.' }, project: '/' }),
    );
    for (const run of await Promise.all(some)) expectSettled(await host.rest(run));
  }
  await host.shutdown();
  await journal.close();
  return { bytes: taken(), count: total };
}

/** One run with so many records. */
async function records(total: number, home: string): Promise<Taken> {
  const turns = Math.max(2, Math.round(total / RECORDS_A_TURN));
  const { journal, taken } = await opened(home);
  const host = benchHost(journal, loopActor(loopModel(turns)));
  const run = await host.start({ definition: teamDefinition(turns), input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(run));
  await host.shutdown();
  const { seq = 0 } = (await journal.run(run)) ?? {};
  await journal.close();
  return { bytes: taken(), count: seq };
}

/** One state in which so many agents speak at the same time. */
async function agents(total: number, home: string): Promise<Taken> {
  const { journal, taken } = await opened(home);
  const host = benchHost(journal, { kind: 'bench', call: async () => answer('Done.', []) });
  const run = await host.start({ definition: teamOf(total), input: { task: 'Write a parser.' }, project: '/' });
  expectSettled(await host.rest(run));
  await host.shutdown();
  await journal.close();
  return { bytes: taken(), count: total };
}

/** A journal, and what it has grown by once it is closed: an empty one reserves some room. */
async function opened(home: string) {
  const empty = `${home}-empty`;
  await (await openSqliteJournal({ home: empty })).close();
  const journal = await openSqliteJournal({ home });
  return { journal, taken: () => folderBytes(home) - folderBytes(empty) };
}

function teamOf(count: number): Definition {
  const names = Array.from({ length: count }, (_, at) => `agent_${at}`);
  const document: Json = {
    workflow_name: 'team',
    input: { name: 'task', type: 'string' },
    contexts: [{ name: 'work', max_length: 1_000_000 }],
    agents: names.map((name) => ({ agent_role: name, context: 'work', role: 'assistant' })),
    states: [
      { name: 'start', transition: [{ target: 'work' }] },
      {
        name: 'work',
        agents: names,
        input: 'common_data.task',
        action: { function: 'sendUserMessage' },
        transition: [{ target: 'stop' }],
      },
      { name: 'stop' },
    ],
  };
  const [workflow] = valueOrFault(
    parseStateMachine(document, { file: 'team.json', locate: () => undefined }),
    'WORKFLOW_INVALID',
  );
  if (workflow === undefined) throw new Error('The file holds no workflow.');
  return { workflow, library: {}, roles: Object.fromEntries(names.map((name) => [name, role(name, [])])) };
}

function makeProject(parent: string, count: number): string {
  const path = join(parent, 'project');
  mkdirSync(path);
  makeSourceProject(path, count);
  return path;
}

/** A project that is recorded for the first time. */
async function files(total: number, home: string, known = ''): Promise<Taken> {
  const path = known === '' ? makeProject(home, total) : known;
  const store = await openTreeStore(join(home, 'store'));
  await store.record(path, { index: join(home, 'index'), leaveOut: () => false });
  await store.close();
  return { bytes: folderBytes(join(home, 'store')), count: total };
}
