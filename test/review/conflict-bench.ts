import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { ToolCall } from '../../src/core/model/message.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { defineWorkflow } from '../../src/formats/native/define-workflow.ts';
import { defineReview } from '../../src/formats/review/parse/define-review.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { FilesBench } from '../workspaces/bench.ts';
import { makes, writes } from './implementer-mind.ts';
import { yesMan } from './manners.ts';

/** The user's own test. */
export const TEST = `import { strict as assert } from 'node:assert';
import { double } from './double.mjs';
assert.equal(double(2), 4);
`;

const FILES = {
  'double.mjs': 'export const double = () => 0;\n',
  'unit.mjs': 'export const two = 2;\n',
  'test.mjs': TEST,
};

export interface Plot {
  /** What the implementer makes of `double.mjs`. */
  readonly made: string;
  /** What somebody else writes into the files of the run while it is reviewed; null: it deletes the file. */
  readonly meanwhile: readonly [path: string, content: string | null];
  /** What the implementer does about a collision. */
  readonly settle: (request: CallRequest) => CallReply;
}

function changing({ meanwhile: [path, content] }: Plot): ToolCall {
  if (content !== null) return writes(path, content);
  return { id: 'rm', name: 'execute_terminal', arguments: { command: `rm ${path}` } };
}

const REVIEW = {
  name: 'doubled',
  implementers: ['base'],
  reviewers: ['smart', 'base'],
  verify: 'node test.mjs',
} as const;

/**
 * A review as part of a larger run, whose files another agent changes at the same time: how a winner really comes to collide.
 * Who writes when is the test's to say; files, merges and commands are real.
 */
export class ConflictBench {
  readonly #bench: FilesBench;
  readonly #world: World;
  readonly host: Host;
  readonly calls: CallRequest[] = [];
  run: RunId = runId('none');

  constructor(plot: Plot) {
    const implemented = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const answer = async (request: CallRequest): Promise<CallReply> => {
      this.calls.push(request);
      const { agent, state, call } = request;
      if (agent === 'other') {
        // It writes when the implementation is done, and the reviewers wait for it.
        await implemented.promise;
        if (call === 2) changed.resolve();
        return makes(request, changing(plot));
      }
      if (agent !== 'impl_1') {
        await changed.promise;
        return yesMan(request);
      }
      if (state.startsWith('settle')) return plot.settle(request);
      if (call === 2) implemented.resolve();
      return makes(request, writes('double.mjs', plot.made));
    };
    this.#bench = new FilesBench({ files: FILES, answer });
    const { host, world } = this.#bench.host();
    this.host = host;
    this.#world = world;
  }

  async start(): Promise<RunRest> {
    const review = defineReview(REVIEW);
    const outer = defineWorkflow({
      name: 'outer',
      agents: { other: { role: 'implementer' } },
      states: {
        start: {
          work: {
            kind: 'pool',
            units: {
              review: { work: { kind: 'call', workflow: 'doubled', input: { task: "'Double it.'" } } },
              other: { work: { kind: 'turn', agent: 'other', input: "'Go on.'" } },
            },
          },
          transitions: ['done'],
        },
        done: { kind: 'end' },
      },
    });
    const { roles } = await loadShipped();
    const definition = valueOrFault(buildDefinition('outer', [outer, review], mergeRoles(roles)), 'INTERNAL');
    this.run = await this.host.start({ definition, input: {}, project: this.#bench.project });
    return await this.host.rest(this.run);
  }

  async answer(answer: string): Promise<RunRest> {
    await this.host.answer(this.run, { answer, by: 'ann' });
    return await this.host.rest(this.run);
  }

  /** The run of the review itself. */
  async review(): Promise<RunId> {
    const [below] = await this.#bench.journal.runs({ parent: this.run });
    if (below === undefined) throw new Error('There is no review.');
    return below.run;
  }

  async facts(): Promise<readonly Fact[]> {
    return await this.#bench.facts(await this.review());
  }

  /** The states in the order in which they were entered. */
  async way(): Promise<readonly string[]> {
    return (await this.facts()).flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : []));
  }

  /** The prompt of the implementer at the beginning of each of its turns. */
  promptsOf(): readonly string[] {
    return this.calls
      .filter(({ agent, call }) => agent === 'impl_1' && call === 1)
      .map(({ messages }) => messages.findLast(({ role }) => role === 'user')?.content ?? '');
  }

  /** The folder in which the implementer works. */
  async folder(): Promise<string> {
    const made = (await this.facts()).find(
      (fact) => fact.kind === 'workspace.made' && fact.workspace.endsWith('impl_1'),
    );
    if (made?.kind !== 'workspace.made') throw new Error('It has no workspace.');
    return this.#world.workspaces.folderOf(this.run, made.workspace);
  }

  /** A file of the whole run. */
  file(path: string): string {
    return readFileSync(join(this.#world.workspaces.folderOf(this.run, 'main'), path), 'utf8');
  }
}

/** Does nothing about it, and says so. */
export const idle = (): CallReply => says('I would rather not.');
