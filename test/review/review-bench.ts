import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { Fact } from '../../src/core/fact.ts';
import { runId, type RunId } from '../../src/core/ids.ts';
import { isJsonObject } from '../../src/core/json.ts';
import type { Ledger } from '../../src/core/review/ledger.ts';
import type { Definition } from '../../src/core/role.ts';
import { buildDefinition } from '../../src/dialects/definition.ts';
import { parseReview } from '../../src/dialects/review/parse-review.ts';
import { mergeRoles } from '../../src/dialects/roles/merge-roles.ts';
import { loadShipped } from '../../src/dialects/shipped.ts';
import { valueOrFault } from '../../src/dialects/source/checked.ts';
import { readDocument } from '../../src/dialects/source/read-document.ts';
import type { Host, RunRest, World } from '../../src/host/port.ts';
import type { Journal } from '../../src/journal/port.ts';
import { FilesBench } from '../workspaces/bench.ts';
import { carefulImplementer, plainImplementer, poorImplementer } from './implementer-mind.ts';
import { reviewer } from './reviewer-mind.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/bech32');

/** The user's project: vectors, a test, and nothing that passes it. */
export function exampleFiles(): Readonly<Record<string, string>> {
  const names = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.map((path) => [path.slice(EXAMPLE.length + 1), readFileSync(path, 'utf8')]));
}

export const TASK = 'Make a from-scratch bech32 implementation in src/bech32.ts. Use the test vectors. Test it thoroughly.';

/** `extra`: further lines of the file. */
export const reviewFile = (extra = ''): string => `name: bech32
implementers: [base, smart, fast]
reviewers: [smart, base]
verify: node --test "test/*.test.ts"
${extra}`;

/** What somebody answers; `hang`: it never does. */
export type Part = (request: CallRequest) => CallReply | 'hang';

/** Everybody's part, by the name of the agent. */
export const CAST: Readonly<Record<string, Part>> = {
  impl_1: (request) => carefulImplementer(request),
  impl_2: poorImplementer,
  impl_3: plainImplementer,
  rev_1: (request) => reviewer(request, { knows: ['mixedCase', 'noChecksum'], reads: true }),
  rev_2: (request) => reviewer(request, { knows: ['noTests', 'untestedMend'] }),
};

/** A part that nobody was given. */
const SILENT: Part = ({ agent }) => ({
  kind: 'failed',
  failure: { code: 'NO_PART', message: `Nobody plays ${agent}.`, class: 'bad-request' },
});

export interface BenchOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly journal?: Journal;
}

/** A review workflow on a real project with real workspaces, commands and merges; only what the models say is the test's. */
export class ReviewBench {
  readonly bench: FilesBench;
  readonly calls: CallRequest[] = [];
  readonly host: Host;
  readonly world: World;
  run: RunId = runId('none');

  constructor(cast: Readonly<Record<string, Part>> = {}, { files = {}, journal }: BenchOptions = {}) {
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
    return ledgerIn((await this.host.snapshot(this.run)).data);
  }

  /** The states in the order in which they were entered. */
  async way(): Promise<readonly string[]> {
    return (await this.facts()).flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : []));
  }

  /** What an agent was told at the beginning of each of its turns. */
  told(agent: string): readonly string[] {
    return this.calls
      .filter((request) => request.agent === agent && request.call === 1)
      .map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content ?? '');
  }

  /** A file as the run left it. */
  file(path: string): string {
    return readFileSync(join(this.world.workspaces.folderOf(this.run, 'main'), path), 'utf8');
  }
}

export function ledgerIn(data: unknown): Ledger {
  if (!isJsonObject(data) || !isJsonObject(data['ledger'])) throw new Error('There is no ledger.');
  return data['ledger'] as unknown as Ledger;
}

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

export async function definitionOf(text: string): Promise<Definition> {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'TEST');
  const workflows = valueOrFault(parseReview(document, { file: 'w.yml', locate }), 'TEST');
  const { roles } = await loadShipped();
  return valueOrFault(buildDefinition(workflows[0]?.name ?? '', workflows, mergeRoles(roles)), 'TEST');
}
