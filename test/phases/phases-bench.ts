import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { Definition } from '../../src/core/model/definition.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { parsePhases } from '../../src/formats/phases/parse/parse-phases.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { readDocument } from '../../src/source/read-document.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench, uses } from '../workspaces/bench.ts';

const FIXTURES = join(import.meta.dirname, '../../src/formats/phases/parse/fixtures');

/** A file of the founding document, unchanged. */
export const document = (name: string): string => readFileSync(join(FIXTURES, `${name}.yml`), 'utf8');

/** What an agent is asked: which phase, which of its calls in this turn, and the newest words to it. */
export interface Asked {
  readonly phase: string;
  /** The turn of this phase, counted over the whole run. */
  readonly turn: number;
  readonly call: number;
  readonly text: string;
  readonly tools: readonly string[];
  readonly request: CallRequest;
}

type Reply = CallReply | null;

export type Plot = (asked: Asked) => Reply | Promise<Reply>;

/** A phase file on a real project with real workspaces; only what the models say is the test's. */
export class PhasesBench {
  readonly bench: FilesBench;
  readonly asked: Asked[] = [];
  readonly host: Host;
  readonly #world: World;
  run: RunId = runId('none');
  readonly #turns = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** The first call of the run is never answered. */
  stallFirst = false;

  constructor(plot: Plot, files: Readonly<Record<string, string>> = {}) {
    this.bench = new FilesBench({
      files: { 'readme.txt': 'a sample\n', ...files },
      answer: async (request, signal) => {
        const asked = this.#hear(request);
        this.asked.push(asked);
        if (this.stallFirst && this.asked.length === 1) await stopped(signal);
        return (await plot(asked)) ?? says('done');
      },
    });
    const { host, world } = this.bench.host();
    this.host = host;
    this.#world = world;
  }

  #hear(request: CallRequest): Asked {
    const { agent, call, run, visit, state } = request;
    const key = `${run} ${agent} ${state} ${visit}`;
    if (!this.#seen.has(key)) {
      this.#seen.add(key);
      this.#turns.set(agent, (this.#turns.get(agent) ?? 0) + 1);
    }
    return {
      phase: agent,
      turn: this.#turns.get(agent) ?? 1,
      call,
      text: request.messages.at(-1)?.content ?? '',
      tools: request.tools.map(({ name }) => name),
      request,
    };
  }

  async start(text: string, input: JsonObject = {}): Promise<RunRest> {
    const definition = await definitionOf(text);
    this.run = await this.host.start({ definition, input, project: this.bench.project });
    return await this.host.rest(this.run);
  }

  /** All facts of the run and of the phases below it, in the order of their time. */
  async facts(): Promise<readonly Fact[]> {
    const runs = (await this.bench.journal.runs({})).map(({ run }) => run).filter((run) => run.startsWith(this.run));
    const all = await Promise.all(runs.map((run) => this.bench.journal.read(run)));
    return all
      .flat()
      .toSorted((one, other) => one.at - other.at)
      .map(({ fact }) => fact);
  }

  async ofKind<Kind extends Fact['kind']>(kind: Kind): Promise<readonly Extract<Fact, { kind: Kind }>[]> {
    return (await this.facts()).filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
  }

  /** A file as the run left it. */
  file(path: string): string {
    return readFileSync(join(this.#world.workspaces.folderOf(this.run, 'main'), path), 'utf8');
  }
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

export async function definitionOf(text: string): Promise<Definition> {
  const { document: read, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'INTERNAL');
  const workflows = valueOrFault(parsePhases(read, { file: 'w.yml', locate }), 'INTERNAL');
  const { roles } = await loadShipped();
  return valueOrFault(buildDefinition(workflows[0]?.name ?? '', workflows, mergeRoles(roles)), 'INTERNAL');
}

/** Hands an output in. */
export const hands = (name: string, content: Json): CallReply => uses('submit_output', { name, content });

export const writes = (path: string, content: string): CallReply => uses('write_file', { path, content });

/** One call after the other in a turn; then it says that it is done. */
export const inTurn = (asked: Asked, replies: readonly CallReply[]): CallReply =>
  replies[asked.call - 1] ?? says('done');
