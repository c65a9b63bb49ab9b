import type { Evidence } from '../../../core/record/agent-fact.ts';
import type { ActorCall } from '../../../core/model/effect.ts';
import { treeId, type TreeId } from '../../../core/model/ids.ts';
import { isJsonObject, type Json } from '../../../core/model/json.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { NO_CHANGE_TOOL } from '../../../core/step/turn/owed-changes.ts';
import { replyDoubtText, RECEIPT, rejectedText, returnedText, wrongReply } from '../../../core/step/turn/owed-reply.ts';
import type { Tool } from '../../../tools/port.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { TakenReply } from '../../desk/port.ts';
import { loadOnce } from '../../load-once.ts';
import { notingNow } from '../noting-now.ts';
import type { EffectContext } from '../../world.ts';
import { checkReply, type ReplyCheck } from './take-reply.ts';
import { turnTool } from '../tools/turn-tools.ts';
import type { Speaker } from '../turn/who-speaks.ts';

const turnTools = loadOnce(() => import('../tools/run-turn-tool.ts'));

/** The call that a desk serves. */
export interface DeskCall {
  readonly effect: ActorCall;
  readonly speaker: Speaker;
}

/** Replies submitted during one turn of a client, checked while it can still fix what is missing. */
export class SubmittedReplies {
  readonly #context: EffectContext;
  readonly #effect: ActorCall;
  readonly #speaker: Speaker;
  readonly #place: Workspace;
  #accepted: ToolCall | null = null;
  #evidence: readonly Evidence[] = [];
  #noChange: string | undefined;
  #isReturned: boolean;

  constructor(context: EffectContext, { effect, speaker }: DeskCall, place: Workspace) {
    this.#context = context;
    this.#effect = effect;
    this.#speaker = speaker;
    this.#place = place;
    this.#isReturned = speaker.turn.returned !== undefined;
  }

  /** The evidence of the last check. */
  get evidence(): readonly Evidence[] {
    return this.#evidence;
  }

  /** Why the agent says that no change is needed. */
  get noChange(): string | undefined {
    return this.#noChange;
  }

  readonly take = async (call: ToolCall, { signal }: { readonly signal: AbortSignal }): Promise<TakenReply> => {
    const tool = turnTool(this.#speaker, call.name);
    if (tool !== null) return await this.#use(tool, call, signal);
    const wrong = wrongReply(this.#speaker.work, call.name);
    if (wrong !== null) return { isAccepted: false, text: wrong };
    const checked = await this.#check(call, signal);
    if (checked.kind === 'rejected') return { isAccepted: false, text: rejectedText(call.name, checked.problem) };
    if (checked.kind === 'returned') {
      this.#isReturned = true;
      return { isAccepted: false, text: returnedText(call.name, checked.problem), isReturned: true };
    }
    this.#evidence = checked.evidence;
    if (checked.kind === 'refused') return { isAccepted: false, text: replyDoubtText(call.name, checked.problem) };
    await this.#accept(call);
    return { isAccepted: true, text: RECEIPT };
  };

  /** Durable before the agent is answered (A8). */
  async #accept(reply: ToolCall): Promise<void> {
    const { task, call, attempt } = this.#effect;
    const tree = await this.#treeNow();
    const fact = { kind: 'reply.accepted', task, call, attempt, reply, evidence: this.#evidence, tree } as const;
    await this.#context.noteNow(fact);
    this.#accepted = reply;
  }

  async #treeNow(): Promise<TreeId | null> {
    if (!this.#writes || !this.#context.world.workspaces.keepsFiles) return null;
    const seen = this.#evidence.find((one) => one.kind === 'tree');
    return seen?.kind === 'tree' ? treeId(seen.tree) : await this.#place.record();
  }

  /** An agent that writes holds the workspace until its turn ends. */
  get #writes(): boolean {
    return (this.#speaker.role.mode ?? 'write') === 'write';
  }

  /** An agent can continue after it claimed to be done: then its final files count, not those that were checked (L4). */
  async lookAgain(): Promise<Failure | null> {
    const call = this.#accepted;
    const seen = this.#evidence.find((one) => one.kind === 'tree');
    if (call === null || seen?.kind !== 'tree' || seen.tree === (await this.#place.record())) return null;
    const checked = await this.#check(call, this.#context.signal);
    this.#evidence = checked.evidence ?? this.#evidence;
    if (checked.kind !== 'refused') return null;
    const message = `Files were changed after ${call.name}, and what it said no longer holds. ${checked.problem}`;
    return { code: 'CHANGED_AFTER_SIGNAL', message, class: 'bad-reply' };
  }

  /** Ends nothing. Its result is durable before the agent is answered. */
  async #use(tool: Tool, { id, arguments: input }: ToolCall, signal: AbortSignal): Promise<TakenReply> {
    const { runTurnTool } = await turnTools();
    const { world } = this.#context;
    const noting = notingNow(this.#context, signal);
    // Numbers begin again with every desk of a turn.
    const use = { speaker: this.#speaker, tool, input, id: `${id}@${world.clock.now()}` };
    const result = await runTurnTool(noting, use, this.#writes ? this.#place : null);
    await noting.flush();
    const { content: text, isError } = result;
    if (!isError && tool.spec.name === NO_CHANGE_TOOL) await this.#decline(reasonOf(input));
    return { isAccepted: false, text, ...(isError ? {} : { isAnswered: true }) };
  }

  async #decline(reason: string | undefined): Promise<void> {
    if (reason === undefined) return;
    await this.#context.noteNow({ kind: 'changes.declined', task: this.#effect.task, reason });
    this.#noChange = reason;
  }

  async #check(call: ToolCall, signal: AbortSignal): Promise<ReplyCheck> {
    const tool = this.#speaker.role.parsingTools.find(({ name }) => name === call.name);
    if (tool === undefined) return { kind: 'rejected', problem: `There is no ${call.name} here.` };
    const place = () => Promise.resolve(this.#place);
    const seen = { noChange: this.#noChange, isSecond: this.#isReturned };
    return await checkReply(this.#context, this.#speaker, { call, tool, place, signal, ...seen });
  }
}

const reasonOf = (input: Json): string | undefined =>
  isJsonObject(input) && typeof input['reason'] === 'string' ? input['reason'] : undefined;
