import type { JsonObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { type CallOptions, DESK_NAME, type SessionOrder } from '../../port.ts';
import { objectIn, stringIn } from '../../read-json.ts';
import { type ClientName, sessionLost } from '../client-failure.ts';
import type { ClientProcess } from '../process/client-process.ts';
import { isRetry } from './codex-story.ts';
import { excuseFailure, type FailureMoment } from './codex-reply.ts';

export interface CodexTurnContext {
  readonly name: ClientName;
  readonly session: SessionOrder;
  readonly options: CallOptions;
  readonly zone: string;
}

/** Watches over a turn while it is under way: whose conversation it is, and what is not worth waiting for. */
export class CodexTurn {
  verdict: Failure | null = null;
  /** Its reply was accepted: the turn is over, however the program ends. */
  isAccepted = false;
  readonly #context: CodexTurnContext;
  #process: ClientProcess | null = null;
  #noted: Promise<void> = Promise.resolve();

  constructor(context: CodexTurnContext) {
    this.#context = context;
  }

  begin(process: ClientProcess, prompt: string): void {
    this.#process = process;
    process.send(prompt);
    process.closeInput();
  }

  accept(): void {
    this.isAccepted = true;
    this.#process?.endSoon();
  }

  /** Resolves when the conversation's id is where it is safe. */
  get noted(): Promise<void> {
    return this.#noted;
  }

  hear(line: JsonObject): void {
    if (line['type'] === 'thread.started') this.#started(stringIn(line['thread_id']));
    // Its reply was accepted, and it would call its model again.
    if (this.isAccepted && isDeskAnswered(line)) this.#process?.sendInterrupt();
    if (line['type'] === 'error') this.#complained(stringIn(line['message']));
  }

  #started(thread: string): void {
    const { session, options, name } = this.#context;
    if (session.how === 'resumed') {
      if (thread !== session.id) this.#giveUp(sessionLost(name, session.id));
      return;
    }
    if (session.how === 'forked' && thread === session.from) return this.#giveUp(sessionLost(name, session.from));
    this.#noted = (options.onSession?.(thread) ?? Promise.resolve()).catch(() => this.#process?.stop('cancelled'));
  }

  /** The first refusal of a login is enough: each further try may count against the account. */
  #complained(words: string): void {
    if (!isRetry(words)) return;
    const moment: FailureMoment = { now: Date.now(), zone: this.#context.zone };
    const failure = excuseFailure(this.#context.name, /\((.*)\)$/.exec(words)?.[1] ?? words, moment);
    if (failure.class === 'auth') this.#giveUp(failure);
  }

  #giveUp(verdict: Failure): void {
    this.verdict ??= verdict;
    this.#process?.stop('given-up');
  }
}

function isDeskAnswered(line: JsonObject): boolean {
  const { type, server } = objectIn(line['item']);
  return line['type'] === 'item.completed' && type === 'mcp_tool_call' && server === DESK_NAME;
}
