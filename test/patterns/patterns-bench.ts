import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import { runId, type RunId } from '../../src/core/model/ids.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { Host, RunRest } from '../../src/host/port.ts';
import type { World } from '../../src/host/world.ts';
import { FilesBench } from '../workspaces/bench.ts';
import { patternDefinition } from './pattern-definition.ts';

/** What one agent hears in one call. */
export interface Asked {
  readonly role: string;
  /** The model that was chosen for it. */
  readonly model: string;
  /** Which turn of its run, and which call of the turn. */
  readonly turn: number;
  readonly call: number;
  /** The last message of the workflow. */
  readonly prompt: string;
  readonly signal: AbortSignal;
}

export type Plot = (asked: Asked) => CallReply | Promise<CallReply>;

/** A shipped pattern on a real project with real workspaces and commands; only what the models say is the test's. */
export class PatternBench {
  readonly bench: FilesBench;
  readonly asked: Asked[] = [];
  host: Host;
  run: RunId = runId('none');
  #world: World;

  constructor(plot: Plot, files: Readonly<Record<string, string>> = {}) {
    this.bench = new FilesBench({
      files: { 'readme.txt': 'a sample\n', ...files },
      answer: async (request, signal) => {
        const asked = hear(request, signal);
        this.asked.push(asked);
        return await plot(asked);
      },
    });
    const { host, world } = this.bench.host();
    this.host = host;
    this.#world = world;
  }

  async start(name: string, input: JsonObject): Promise<RunRest> {
    const definition = await patternDefinition(name);
    this.run = await this.host.start({ definition, input, project: this.bench.project });
    return await this.host.rest(this.run);
  }

  async answer(text: string): Promise<RunRest> {
    await this.host.answer(this.run, { answer: text, by: 'ann' });
    return await this.host.rest(this.run);
  }

  /** A file as the run left it; null where there is none. */
  file(path: string, run: RunId = this.run): string | null {
    try {
      return readFileSync(join(this.#world.workspaces.folderOf(run, 'main'), path), 'utf8');
    } catch {
      return null;
    }
  }

  /** The models that were asked as this role, each as often as it took a turn. */
  modelsOf(role: string): readonly string[] {
    return this.asked.filter((one) => one.role === role && one.call === 1).map(({ model }) => model);
  }

  promptsTo(role: string): readonly string[] {
    return this.asked.filter((one) => one.role === role && one.call === 1).map(({ prompt }) => prompt);
  }
}

function hear({ role, state, visit, call, messages }: CallRequest, signal: AbortSignal): Asked {
  const prompt = messages.findLast((one) => one.role === 'user')?.content ?? '';
  return { role: role.name, model: role.level, turn: state === 'settle' ? visit + 1 : visit, call, prompt, signal };
}
