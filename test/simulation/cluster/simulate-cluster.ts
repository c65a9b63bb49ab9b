import type { CallReply, CallRequest } from '../../../src/actors/port.ts';
import { foldRecords } from '../../../src/core/fold/fold.ts';
import { isFault } from '../../../src/core/model/fault.ts';
import { runId, type RunId } from '../../../src/core/model/ids.ts';
import type { Definition } from '../../../src/core/model/definition.ts';
import { createEmbeddedHost } from '../../../src/host/embedded/embedded-host.ts';
import type { RunActivity } from '../../../src/host/port.ts';
import type { Clock, World } from '../../../src/host/world.ts';
import { ManualClock } from '../../../src/host/testing/manual-clock.ts';
import { keeping } from '../../../src/host/testing/full-disk.ts';
import { testWorld } from '../../../src/host/testing/test-world.ts';
import { createMemoryJournal } from '../../../src/journal/memory/memory-journal.ts';
import type { Journal } from '../../../src/journal/port.ts';
import { Connection, type Network, type PlantedFault } from './connection.ts';
import { counting, Reservations } from './reservations.ts';
import { SimulatedHost } from './simulated-host.ts';
import { Wire } from './wire.ts';

export interface ClusterOptions {
  readonly definition: Definition;
  readonly answer: (request: CallRequest) => CallReply;
  readonly random: () => number;
  readonly hosts: number;
  /** Freezes, crashes and times without a journal, in all. */
  readonly mostTroubles: number;
  readonly fault?: PlantedFault;
  /** The disks of processes fill up until a person, who sees the tree paused, makes room and resumes it. */
  readonly hasFullDisks?: boolean;
  /** A person raises a limit that was reached by so much. */
  readonly raiseBy?: number;
}

export interface ClusterResult {
  readonly journal: Journal;
  readonly crashes: number;
  readonly freezes: number;
  /** How often a host found a run asleep that no process drove. */
  readonly naps: number;
  /** How often a person resumed the tree. */
  readonly resumes: number;
  /** Calls that were begun although the journal already held their answer. */
  readonly repeated: readonly string[];
  /** What must never happen to a process. */
  readonly broken: readonly unknown[];
  readonly isSettled: boolean;
}

export const ROOT = runId('simulated');

const MOST_MOVES = 30_000;

/** How long a process may be silent before others take its runs: one that died, and one that still holds its lock. */
const SILENT_MS = { dead: 1500, frozen: 4000, running: 4000 } as const;

/** Before that it has to look whether its lease is still its own. */
const FRESH_MS = 3000;

/** One tree of runs on several processes, in a world where the seed decides everything that can vary. */
export class Cluster {
  readonly #options: ClusterOptions;
  readonly #clock = new ManualClock();
  readonly #network: Network;
  readonly #hosts: SimulatedHost[] = [];
  readonly #repeated: string[] = [];
  readonly #broken: unknown[] = [];
  #born = 0;
  #troubles = 0;
  #crashes = 0;
  #freezes = 0;
  #naps = 0;
  #resumes = 0;
  #isPersonAtWork = false;
  #asking: SimulatedHost | null = null;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { random, fault = null } = options;
    const truth = createMemoryJournal({ isAlive: (owner) => this.#isAlive(owner) });
    const leases: Network['leases'] = new Map();
    const isAlive = (owner: string): boolean => this.#isAlive(owner);
    const takesLeases = fault !== 'a reservation without taking leases';
    const reservations = new Reservations({ truth, leases, isAlive, takesLeases });
    const wire = new Wire(random);
    this.#network = { wire, random, truth, fault, leases, reservations, isAway: false, isCalm: false };
    while (this.#hosts.length < options.hosts) this.#hosts.push(this.#makeHost());
  }

  async run(): Promise<ClusterResult> {
    const { definition } = this.#options;
    const first = this.#hosts[0]?.host;
    first?.start({ definition, input: {}, run: ROOT, project: '.' }).catch((error: unknown) => this.#note(error));
    let isSettled = false;
    for (let moves = 0; moves < MOST_MOVES && !isSettled; moves += 1) {
      const info = await this.#network.truth.run(ROOT);
      isSettled = info?.status === 'settled';
      this.#move(moves, info !== undefined);
      if (info?.status === 'paused') void this.#actAsPerson();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return {
      journal: this.#network.truth,
      crashes: this.#crashes,
      freezes: this.#freezes,
      naps: this.#naps,
      resumes: this.#resumes,
      repeated: this.#repeated,
      broken: this.#broken,
      isSettled,
    };
  }

  #makeHost(): SimulatedHost {
    const { random } = this.#options;
    this.#born += 1;
    const skewMs = Math.floor((random() - 0.5) * 7_200_000);
    const made = new SimulatedHost(`host ${this.#born}`, { skewMs, at: this.#clock.now() });
    made.host = createEmbeddedHost(this.#world(made));
    return made;
  }

  #world(host: SimulatedHost): World {
    const { random, answer } = this.#options;
    const lapses = (): number => {
      if (this.#network.fault === 'no look at the lease after a freeze') return 0;
      return this.#clock.now() - host.beatAt < FRESH_MS ? host.lapses : NaN;
    };
    const world = testWorld({
      journal: new Connection(this.#network, host).open(lapses),
      clock: this.#clockOf(host),
      owner: host.owner,
      tools: [keeping(host.disk)],
      answer: async (request) => {
        await this.#checkNotAnswered(request);
        await this.#network.wire.travel();
        await host.entry();
        return answer(request);
      },
    });
    const program = counting(host, this.#network.wire);
    const formats = { ...world.formats, program: () => Promise.resolve(program) };
    return { ...world, formats, placement: { offer: () => Promise.resolve(random() < 0.7) } };
  }

  #clockOf(host: SimulatedHost): Clock {
    return {
      now: () => this.#clock.now() + host.skewMs,
      alarm: (at, ring) => this.#clock.alarm(at - host.skewMs, () => host.enter(ring)),
      soon: (ring) => {
        let isForgotten = false;
        void this.#network.wire.travel().then(() => host.enter(() => (isForgotten ? undefined : ring())));
        return () => (isForgotten = true);
      },
    };
  }

  async #checkNotAnswered({ run, idempotencyKey }: CallRequest): Promise<void> {
    const records = await this.#network.truth.read(run);
    const keys = records.flatMap(({ fact }) =>
      fact.kind === 'call.answered' ? [`${run}/${fact.task}/${fact.call}`] : [],
    );
    if (keys.includes(idempotencyKey)) this.#repeated.push(idempotencyKey);
  }

  #isAlive(owner: string): boolean {
    const host = this.#hosts.find((one) => one.owner === owner);
    if (host === undefined) return false;
    const isByWallClock = this.#network.fault === 'leases by wall clock';
    const skew = isByWallClock ? (this.#asking?.skewMs ?? 0) - host.skewMs : 0;
    return this.#clock.now() + skew - host.beatAt < SILENT_MS[host.state];
  }

  #move(moves: number, hasBegun: boolean): void {
    const { random } = this.#options;
    const isOver = this.#troubles >= this.#options.mostTroubles || moves > MOST_MOVES / 2;
    this.#network.isCalm = isOver || !hasBegun;
    this.#trouble();
    this.#beat();
    if (!this.#network.wire.isEmpty && random() > 0.2) this.#network.wire.arrive();
    else this.#passTime();
    const host = this.#hosts[Math.floor(random() * this.#hosts.length)];
    if (host?.state !== 'running' || random() > 0.05) return;
    if (this.#network.fault !== 'no poll behind lost wake-ups') host.wake();
    void this.#seeToRuns(host);
  }

  #beat(): void {
    if (this.#network.isAway) return;
    for (const host of this.#hosts) if (host.state === 'running') host.beat(this.#clock.now(), FRESH_MS);
  }

  /** Where nothing is under way, until the next alarm: a clock that is an hour ahead makes others wait as long. */
  #passTime(): void {
    const someMs = Math.floor(this.#options.random() * 300);
    const isIdle = this.#network.wire.isEmpty && this.#hosts.every(({ state }) => state !== 'frozen');
    const next = isIdle ? (this.#clock.nextAlarm ?? 0) - this.#clock.now() : 0;
    this.#clock.advance(Math.max(someMs, next));
    this.#beat();
  }

  /** Whatever may go wrong, begins and ends. */
  #trouble(): void {
    const { random } = this.#options;
    const frozen = this.#hosts.find(({ state }) => state === 'frozen');
    if (frozen !== undefined && random() < 0.005) frozen.thaw();
    if (this.#network.isAway && random() < 0.05) this.#network.isAway = false;
    if (this.#network.isCalm || random() > 0.02) return;
    this.#troubles += 1;
    const at = Math.floor(random() * this.#hosts.length);
    const host = this.#hosts[at];
    const kind = random();
    if (kind < 0.4) this.#crash(at);
    else if (kind < 0.8 && host?.state === 'running') {
      host.state = 'frozen';
      this.#freezes += 1;
    } else if (this.#options.hasFullDisks === true && host !== undefined && kind < 0.9) host.disk.isFull = true;
    else this.#network.isAway = true;
  }

  async #actAsPerson(): Promise<void> {
    const host = this.#hosts.find(({ state }) => state === 'running');
    if (this.#isPersonAtWork || host === undefined || this.#options.random() > 0.05) return;
    this.#isPersonAtWork = true;
    this.#resumes += 1;
    for (const { disk } of this.#hosts) disk.isFull = false;
    const died = new Promise<void>((resolve) => (host.onDeath = resolve));
    await Promise.race([died, this.#goOn(host).catch((error: unknown) => this.#note(error))]);
    this.#isPersonAtWork = false;
  }

  async #goOn({ host }: SimulatedHost): Promise<void> {
    const { paused } = foldRecords(await this.#network.truth.read(ROOT));
    if (paused === null) await host?.unpause(ROOT, 'ann');
    else await host?.raise(ROOT, paused.limit, paused.used + (this.#options.raiseBy ?? 0), 'ann');
  }

  #crash(at: number): void {
    const host = this.#hosts[at];
    host?.die();
    this.#crashes += 1;
    // The dead one stays known until its leases are taken.
    this.#hosts.push(this.#makeHost());
  }

  /** What a worker does from time to time: drive runs without a process that do not sleep. */
  async #seeToRuns(host: SimulatedHost): Promise<void> {
    const { truth, leases } = this.#network;
    if (host.isLooking) return;
    host.isLooking = true;
    for (const { run, status, driven, wakesAt = 0 } of await truth.runs()) {
      const isOwn = leases.get(run)?.owner === host.owner;
      if (status === 'settled' || (driven && !isOwn) || host.state !== 'running') continue;
      if (!driven && (await this.#sleeps(host, run, wakesAt))) continue;
      this.#asking = host;
      await this.#drive(host, run);
    }
    host.isLooking = false;
  }

  async #sleeps(host: SimulatedHost, run: RunId, wakesAt: number): Promise<boolean> {
    const at = wakesAt - host.skewMs;
    if (at <= this.#clock.now() || (await this.#network.truth.inbox(run)).length > 0) return false;
    this.#clock.alarm(at, () => undefined);
    this.#naps += 1;
    return true;
  }

  /** Resolves when it is under way; left when it is asleep. */
  async #drive({ host, owner }: SimulatedHost, run: RunId): Promise<void> {
    const note = (error: unknown): void => this.#note(error);
    await host?.resume(run, { by: owner, keepsPause: true }).then(async () => {
      const asleep = async (): Promise<void> => {
        for (let now: RunActivity | null = 'at work'; now !== 'asleep';) {
          now = await host.nextActivity(run, now);
          if (now === null) return;
        }
        await host.leave(run);
      };
      void asleep().catch(note);
    }, note);
  }

  /** Losing a race is no fault. */
  #note(error: unknown): void {
    const isExpected =
      isFault(error) && /^(?:RUN_BUSY|RUN_SETTLED|LEASE_LOST|JOURNAL_IO|RUN_UNKNOWN)$/.test(error.code);
    if (!isExpected) this.#broken.push(error);
  }
}
