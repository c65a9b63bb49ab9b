import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { Ledger } from '../../src/formats/review/rules/ledger.ts';
import { reviewStateIn } from '../../src/formats/review/views/review-state-in.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { FilesBench } from '../workspaces/bench.ts';
import { CAST, type Part } from './cast.ts';
import { definitionOf, exampleFiles, reviewFile, TASK } from './review-file.ts';

/** A part without a player. */
const SILENT: Part = ({ agent }) => ({
  kind: 'failed',
  failure: { code: 'REQUEST_REFUSED', message: `Nobody plays ${agent}.`, class: 'bad-request' },
});

/** A review workflow on a real project with real workspaces, commands and merges; only what the models say is the test's. */
export class ReviewBench {
  readonly bench: FilesBench;
  readonly calls: CallRequest[] = [];
  readonly host: Host;
  readonly world: World;
  run: RunId = runId('none');

  constructor(
    cast: Readonly<Record<string, Part>> = {},
    files: Readonly<Record<string, string>> = {},
    journal?: Journal,
  ) {
    const parts = { ...CAST, ...cast };
    this.bench = new FilesBench({
      files: { ...exampleFiles(), ...files },
      ...(journal === undefined ? {} : { journal }),
      answer: async (request, signal) => {
        this.calls.push(request);
        const said = (parts[request.agent] ?? SILENT)(request);
        if (said !== 'hang') return said;
        await stopped(signal);
        return { kind: 'failed', failure: { code: 'CANCELLED', message: 'stopped', class: 'cancelled' } };
      },
    });
    const { host, world } = this.bench.host();
    this.host = host;
    this.world = world;
  }

  async start(text: string = reviewFile()): Promise<RunRest> {
    const definition = await definitionOf(text);
    this.run = await this.host.start({ definition, input: { task: TASK }, project: this.bench.project });
    return await this.host.rest(this.run);
  }

  async facts(): Promise<readonly Fact[]> {
    return await this.bench.facts(this.run);
  }

  async ledger(): Promise<Ledger> {
    const { data } = await this.host.snapshot(this.run);
    const state = reviewStateIn(data);
    if (state === null) throw new Error('There is no ledger.');
    return state.ledger;
  }

  /** The states in the order in which they were entered. */
  async way(): Promise<readonly string[]> {
    return (await this.facts()).flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : []));
  }

  /** The prompt of an agent at the beginning of each of its turns. */
  promptsOf(agent: string): readonly string[] {
    return this.calls
      .filter((request) => request.agent === agent && request.call === 1)
      .map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content ?? '');
  }

  /** A file as the run left it. */
  file(path: string): string {
    return readFileSync(join(this.world.workspaces.folderOf(this.run, 'main'), path), 'utf8');
  }
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
