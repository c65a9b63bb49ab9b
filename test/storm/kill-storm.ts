import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import {
  startScriptedServer,
  type ReceivedRequest,
  type ScriptedServer,
} from '../../src/actors/scripted/scripted-server.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { countLosses, type StormEvidence, type StormLosses } from './count-losses.ts';
import { MADE, SCENARIO, StormProject, type StormTarget } from './storm-project.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/troupe.js');
const DIE_AT = join(import.meta.dirname, 'die-at.ts');

/** Every moment between a good end and its delivery, in the words of `die-at.ts`. */
export const DELIVERY_MOMENTS: Readonly<Record<StormTarget, readonly string[]>> = {
  apply: [
    'after run.settled 1',
    'after project.changed 1',
    'file 4',
    'before project.changed 2',
    'after project.changed 2',
    'before delivery.finished 1',
    'after delivery.finished 1',
  ],
  branch: ['after run.settled 1', 'before delivery.finished 1', 'after delivery.finished 1'],
};

/** Kills a process at a moment of its delivery, or after some part of the time that it usually takes. */
export type Kill = { readonly at: string } | { readonly part: number };

export type StormFindings = StormLosses & { readonly runs: number; readonly kills: number };

const MOST_TRIES = 30;

/** Runs `troupe` to its end, and gives back what it printed on standard error. */
type Performer = (words: readonly string[], place: StormProject) => Promise<string>;

interface StormOptions {
  readonly sandbox?: string;
  /** For commands that are not to be killed; each is a process unless this is given. */
  readonly perform?: Performer;
}

/** Runs that ask, write, check and deliver, whose processes are killed; others answer, resume and deliver. */
export class KillStorm {
  readonly #model: ScriptedServer;
  /** What the model was asked for, by `run/task/call`, in the order of the requests. */
  readonly #asked: readonly string[];
  readonly #options: StormOptions;
  #found: StormFindings = { runs: 0, kills: 0, missing: 0, appliedTwice: 0, callsRepeated: 0 };
  /** How long a process that is not killed took lately. */
  #usualMs = 1500;

  private constructor(model: ScriptedServer, asked: readonly string[], options: StormOptions) {
    this.#model = model;
    this.#asked = asked;
    this.#options = options;
  }

  static async open(options: StormOptions = {}): Promise<KillStorm> {
    const parsed = parseScenario(SCENARIO);
    if (parsed.kind !== 'parsed') throw new Error(JSON.stringify(parsed.problems));
    const asked: string[] = [];
    const log = ({ headers }: ReceivedRequest): void =>
      void asked.push(decodeURIComponent(headers['idempotency-key'] ?? ''));
    return new KillStorm(await startScriptedServer({ scenario: parsed.scenario, log }), asked, options);
  }

  get found(): StormFindings {
    return this.#found;
  }

  async close(): Promise<void> {
    await this.#model.close();
  }

  /** One run, which meets these kills one after the other from its answer on, and is then driven to its end and counted. */
  async run(target: StormTarget, kills: readonly Kill[]): Promise<StormEvidence> {
    const place = await StormProject.make(target, this.#model.url);
    try {
      const evidence = await this.#drive(place, kills);
      this.#add({ runs: 1, ...countLosses(evidence) });
      return evidence;
    } finally {
      place.remove();
    }
  }

  async #drive(place: StormProject, kills: readonly Kill[]): Promise<StormEvidence> {
    const target = place.target === 'apply' ? ['--apply'] : [];
    const printed = await this.#troupe(place, ['run', 'storm.ts', '--verify', `test -e ${MADE.at(-1)}`, ...target]);
    const left = [...kills];
    let repeatedCalls = 0;
    let state = await readRun(place).catch(() => Promise.reject(new Error(printed)));
    for (let tries = 0; tries < MOST_TRIES && !isDelivered(state.facts); tries += 1) {
      const { run, facts } = state;
      const first = this.#asked.length;
      await this.#troupe(place, isAsking(facts) ? ['answer', run, 'yes'] : ['resume', run], left.shift());
      const answered = answeredCalls(run, facts);
      repeatedCalls += this.#asked.slice(first).filter((call) => answered.has(call)).length;
      state = await readRun(place);
    }
    const isCounted = [...answeredCalls(state.run, state.facts)].every((call) => this.#asked.includes(call));
    if (!isCounted) throw new Error('A call was answered that the model was never asked for.');
    return { ...(await this.#look(place, state.run)), repeatedCalls };
  }

  /** What the user finds, before and after one more process that must change nothing. */
  async #look(place: StormProject, run: string): Promise<Omit<StormEvidence, 'repeatedCalls'>> {
    const files = place.result(run);
    place.edit('made/0.txt', 'mine\n');
    await this.#troupe(place, ['resume', run]);
    const { facts } = await readRun(place);
    const isEditKept = place.read('made/0.txt') === 'mine\n';
    const commits = place.target === 'branch' ? place.commits(run) : 0;
    return { target: place.target, facts, files, commits, isEditKept };
  }

  async #troupe(place: StormProject, words: readonly string[], kill?: Kill): Promise<string> {
    const { sandbox = 'best', perform } = this.#options;
    if (kill === undefined && perform !== undefined) return await perform(words, place);
    const { project, home } = place;
    const began = performance.now();
    const dieAt = kill !== undefined && 'at' in kill ? kill.at : null;
    const child = spawn(process.execPath, [...(dieAt === null ? [] : ['--import', DIE_AT]), PROGRAM, ...words], {
      cwd: project,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        TROUPE_HOME: home,
        TROUPE_SANDBOX: sandbox,
        STORM_DIE_AT: dieAt ?? '',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const part = kill !== undefined && 'part' in kill ? kill.part : null;
    const timer = part === null ? undefined : setTimeout(() => child.kill('SIGKILL'), part * this.#usualMs);
    const signal = await new Promise<string | null>((resolve) => child.on('close', (_code, by) => resolve(by)));
    clearTimeout(timer);
    if (signal === 'SIGKILL') this.#add({ kills: 1 });
    else if (part !== null) this.#usualMs = 0.7 * this.#usualMs + 0.3 * (performance.now() - began);
    return printed;
  }

  #add(more: Partial<StormFindings>): void {
    const added = Object.entries(more).map(([name, count]) => [name, this.#found[name as keyof StormFindings] + count]);
    this.#found = { ...this.#found, ...(Object.fromEntries(added) as Partial<StormFindings>) };
  }
}

async function readRun({ home }: StormProject): Promise<{ readonly run: string; readonly facts: readonly Fact[] }> {
  const journal = await openSqliteJournal({ home });
  try {
    const [info] = await journal.runs();
    if (info === undefined) throw new Error('The run was not started.');
    return { run: info.run, facts: (await journal.read(info.run)).map(({ fact }) => fact) };
  } finally {
    await journal.close();
  }
}

const answeredCalls = (run: string, facts: readonly Fact[]): ReadonlySet<string> =>
  new Set(facts.flatMap((fact) => (fact.kind === 'call.answered' ? [`${run}/${fact.task}/${fact.call}`] : [])));

const isAsking = (facts: readonly Fact[]): boolean => facts.every(({ kind }) => kind !== 'question.answered');

const isDelivered = (facts: readonly Fact[]): boolean => facts.some(({ kind }) => kind === 'delivery.finished');
