import type { ChildProcess } from 'node:child_process';
import { channel } from 'node:diagnostics_channel';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClaudeActor } from '../../src/actors/clients/claude/claude-actor.ts';
import type { Actor } from '../../src/actors/port.ts';
import { Breakers } from '../../src/host/perform/turn/breakers.ts';
import type { ClientServices } from '../../src/host/world.ts';
import { chooseSandbox, findSandbox } from '../../src/sandbox/find-sandbox.ts';
import type { Sandbox } from '../../src/sandbox/port.ts';

/** Of one process of the client, in milliseconds of the same clock. */
export interface Stamps {
  /** The system had started what leads to it: the sandbox around it, or itself where there is none. */
  readonly started: number;
  /** Its first line was run. */
  readonly began: number;
  /** It was about to say its last word. */
  readonly ended: number;
}

/** A client that only says when it began and when it ended, played by the real actor in the real sandbox. */
export class StampingClient {
  readonly stamps: Stamps[] = [];
  readonly actor: Actor;
  readonly services: ClientServices;
  readonly program: string;
  readonly sandbox: Sandbox;
  #started = Number.NaN;

  static async create(folder: string): Promise<StampingClient> {
    const scratch = join(folder, 'sandbox');
    return new StampingClient(folder, chooseSandbox(await findSandbox({ scratch }), 'best'));
  }

  private constructor(folder: string, sandbox: Sandbox) {
    this.sandbox = sandbox;
    this.program = writeProgram(folder);
    const openSandbox = () => Promise.resolve(sandbox);
    this.actor = createClaudeActor({ program: this.program, openSandbox, environment: { PATH: '/usr/bin:/bin' } });
    const home = join(folder, 'agents');
    mkdirSync(home);
    this.services = {
      desks: async () => (await import('../../src/host/desk/desk-office.ts')).openDeskOffice(),
      homeOf: () => Promise.resolve(home),
      limitsOf: () => ({ idleMs: MINUTE, wallMs: MINUTE }),
      breakers: new Breakers(() => Date.now()),
      keepLine: ({ line }) => this.hear(line),
    };
    this.#watchStarts();
  }

  hear(line: string): void {
    const [, began, ended] = /stamps ([\d.,]+) ([\d.,]+)"/.exec(line) ?? [];
    if (began === undefined || ended === undefined) return;
    this.stamps.push({ started: this.#started, began: milliseconds(began), ended: milliseconds(ended) });
  }

  /** Node returns from a start when the program has been executed. */
  #watchStarts(): void {
    channel('tracing:child_process.spawn:end').subscribe((message) => {
      const { spawnargs } = (message as { process: ChildProcess }).process;
      if (spawnargs.includes(this.program)) this.#started = performance.timeOrigin + performance.now();
    });
  }
}

/** Bash knows the time without starting anything, and is up in a millisecond or two. */
function writeProgram(folder: string): string {
  const program = join(folder, 'client');
  const result = '{"type":"result","subtype":"success","is_error":false,"result":"stamps %s %s","usage":{}}';
  writeFileSync(program, `#!/bin/bash\nbegan=$EPOCHREALTIME\nprintf '${result}\\n' $began $EPOCHREALTIME\n`);
  chmodSync(program, 0o755);
  return program;
}

/** Some languages write a comma. */
const milliseconds = (seconds: string): number => Number(seconds.replace(',', '.')) * 1000;

const MINUTE = 60_000;
