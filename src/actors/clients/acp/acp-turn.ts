import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, parseObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import type { Role } from '../../../core/model/role.ts';
import type { CostUsd } from '../../../core/model/usage.ts';
import type { SandboxLevel } from '../../../sandbox/port.ts';
import type { CallOptions, ClientOrder } from '../../port.ts';
import { objectIn, objectListIn, stringIn } from '../../read-json.ts';
import { cancelledTurn, type ClientName, deskUnreachable } from '../client-failure.ts';
import type { ClientProcess } from '../process/client-process.ts';
import { promptText, systemText } from '../prompt-text.ts';
import type { AcpAgent } from './acp-agent.ts';
import {
  acpRefusal,
  AUTH_REQUIRED,
  conversationMissing,
  modelMissing,
  sessionRefusal,
  wrongVersion,
} from './acp-failure.ts';
import { outcomeFor, PERMISSION_CANCELLED, permissionFor } from './acp-permission.ts';
import { costSoFar, modelChoice, modeToSet, type Opening, sessionOpening } from './acp-session.ts';
import { type AcpStory, isDeskDown } from './acp-story.ts';
import { JsonRpcPeer, type RpcAnswer } from './json-rpc-peer.ts';

export interface AcpTurnContext {
  readonly agent: AcpAgent;
  readonly name: ClientName;
  readonly story: AcpStory;
  readonly role: Role;
  /** Text that all agents of the run read first. */
  readonly shared: string;
  readonly order: ClientOrder;
  readonly options: CallOptions;
  readonly level: SandboxLevel;
  readonly environment: NodeJS.ProcessEnv;
  readonly model: string | undefined;
  readonly version: string;
}

/** Outcome of one turn. `cut`: the agent ended before it reported one. */
export type TurnVerdict =
  | { readonly kind: 'ended'; readonly response: JsonObject; readonly session: string; readonly costBefore: CostUsd }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'cut' };

const VERSION = 1;

/** The conversation with the agent about one turn: greeting, conversation, order; its questions are answered meanwhile. */
export class AcpTurn {
  /** Empty if the agent does not report it. */
  model = '';
  /** Its reply was accepted: the turn is over, however it ends it. */
  isAccepted = false;
  readonly #context: AcpTurnContext;
  readonly #peer: JsonRpcPeer;
  readonly #givenUp = Promise.withResolvers<null>();
  #process: ClientProcess | null = null;
  #session = '';
  /** Why the turn was given up before the agent reported an outcome. */
  #failure: Failure | null = null;
  #isPrompted = false;
  #isAnswered = false;
  #isCancelled = false;

  constructor(context: AcpTurnContext) {
    this.#context = context;
    this.#peer = new JsonRpcPeer({
      send: (message) => this.#process?.send(JSON.stringify(message)),
      onNotification: (method, params) => this.#handleNotification(method, params),
      onRequest: (method, params) => (method === 'session/request_permission' ? this.#asked(params) : null),
    });
  }

  hear(line: string): void {
    const message = parseObject(line);
    if (message === null || !this.#peer.hear(message)) this.#context.story.noteUnreadable(line);
  }

  /** For the way down: it then ends its turn, and keeps its conversation whole. */
  interrupt(): boolean {
    this.#givenUp.resolve(null);
    if (!this.#isPrompted || this.#isAnswered) return false;
    this.#isCancelled = true;
    this.#peer.notify('session/cancel', { sessionId: this.#session });
    return true;
  }

  accept(): void {
    this.isAccepted = true;
    this.#process?.endSoon();
  }

  /** Nothing more will be heard of it. */
  close(): void {
    this.#givenUp.resolve(null);
    this.#peer.close();
  }

  async converse(process: ClientProcess): Promise<TurnVerdict> {
    this.#process = process;
    const greeting = await this.#greet();
    if (greeting.kind !== 'result') return this.#refused(greeting);
    const { protocolVersion } = greeting.result;
    if (protocolVersion !== VERSION) return failedWith(wrongVersion(this.#context.name, protocolVersion ?? null));
    const opening = sessionOpening(this.#context, objectIn(greeting.result['agentCapabilities']));
    const opened = await this.#open(opening, objectListIn(greeting.result['authMethods']));
    if (opened.kind !== 'result') return this.#refused(opened, opening);
    const problem = await this.#settle(opening, opened.result);
    return problem === null ? await this.#prompt(opening) : failedWith(problem);
  }

  #greet(): Promise<RpcAnswer> {
    return this.#peer.request('initialize', {
      protocolVersion: VERSION,
      // It has its own tools, in the sandbox.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'troupe', title: 'Troupe', version: this.#context.version },
    });
  }

  /** Some agents have to be given a login first. */
  async #open({ method, params }: Opening, methods: readonly JsonObject[]): Promise<RpcAnswer> {
    const answer = await this.#peer.request(method, params);
    if (answer.kind !== 'refused' || answer.error.code !== AUTH_REQUIRED) return answer;
    const methodId = this.#loginMethod(methods);
    if (methodId === null) return answer;
    const login = await this.#peer.request('authenticate', { methodId });
    return login.kind === 'result' ? await this.#peer.request(method, params) : login;
  }

  #loginMethod(offered: readonly JsonObject[]): string | null {
    const { agent, environment, order } = this.#context;
    const usable = (agent.loginMethods ?? []).filter(({ variable, file }) => {
      const hasVariable = variable !== undefined && (environment[variable] ?? '') !== '';
      return hasVariable || (file !== undefined && existsSync(join(order.home, file)));
    });
    return usable.find(({ id }) => offered.some((method) => method['id'] === id))?.id ?? null;
  }

  /** Before the prompt: makes the conversation known and sets the mode and the model. */
  async #settle(opening: Opening, opened: JsonObject): Promise<Failure | null> {
    this.#session = stringIn(opened['sessionId']) || opening.session;
    if (this.#session === '') return conversationMissing(this.#context.name);
    if (this.#session !== opening.session && !(await this.#isNoted())) return cancelledTurn(this.#context.name);
    await this.#setMode(opened);
    return await this.#setModel(opened);
  }

  /** One that could not be written down would be lost. */
  async #isNoted(): Promise<boolean> {
    try {
      await this.#context.options.onSession?.(this.#session);
      return true;
    } catch {
      return false;
    }
  }

  async #setMode(opened: JsonObject): Promise<void> {
    const { agent, order, level } = this.#context;
    const modeId = modeToSet(opened, agent.modes?.(order, level) ?? []);
    if (modeId !== null) await this.#peer.request('session/set_mode', { sessionId: this.#session, modeId });
  }

  async #setModel(opened: JsonObject): Promise<Failure | null> {
    const { model, name } = this.#context;
    const { configId, current } = modelChoice(opened);
    this.model = current;
    if (model === undefined || model === current) return null;
    if (configId === '') return modelMissing(name, model);
    const params = { sessionId: this.#session, configId, value: model };
    const answer = await this.#peer.request('session/set_config_option', params);
    if (answer.kind === 'refused') return modelMissing(name, model);
    this.model = model;
    return null;
  }

  async #prompt({ isRoleSent }: Opening): Promise<TurnVerdict> {
    const { order, story } = this.#context;
    const words = [...(isRoleSent ? [] : [systemText(this.#context)]), promptText(order.unheard)];
    const content = words.filter((part) => part !== '').join('\n\n');
    const costBefore = story.conversationCost ?? (await this.#costBefore());
    this.#isPrompted = true;
    const isSystem = isRoleSent && order.session.how === 'new';
    this.#context.options.onPrompt?.({ system: isSystem ? systemText(this.#context) : '', prompt: content });
    const params = { sessionId: this.#session, prompt: [{ type: 'text', text: content }] };
    const answer = await this.#peer.request('session/prompt', params);
    this.#isAnswered = true;
    if (this.#failure !== null) return failedWith(this.#failure);
    if (answer.kind !== 'result') return this.#refused(answer);
    return { kind: 'ended', response: answer.result, session: this.#session, costBefore };
  }

  async #costBefore(): Promise<CostUsd> {
    const { session, home } = this.#context.order;
    return session.how === 'new' ? 0 : await costSoFar(home, this.#session);
  }

  #refused(answer: Exclude<RpcAnswer, { kind: 'result' }>, opening?: Opening): TurnVerdict {
    if (answer.kind === 'closed') return this.#failure === null ? { kind: 'cut' } : failedWith(this.#failure);
    const { name, order } = this.#context;
    if (opening === undefined) return failedWith(acpRefusal(name, answer.error));
    return failedWith(sessionRefusal(name, answer.error, { opening, hasDesk: order.desk !== null }));
  }

  #giveUp(failure: Failure): void {
    this.#failure ??= failure;
    this.#process?.stop('given-up');
  }

  #handleNotification(method: string, params: JsonObject): void {
    const isOurs = params['sessionId'] === this.#session || !this.#isPrompted;
    if (method !== 'session/update' || !isOurs) return;
    const update = objectIn(params['update']);
    const { story } = this.#context;
    // Its reply was accepted, and it would call its model again.
    if (this.isAccepted && !this.#isCancelled && isAfterTool(update)) this.interrupt();
    // Updates before the prompt are the history of a resumed conversation.
    if (isDeskDown(update)) this.#giveUp(deskUnreachable(this.#context.name));
    if (this.#isPrompted) story.read(update);
    else if (update['sessionUpdate'] === 'usage_update') story.readCost(update);
  }

  async #asked(params: JsonObject): Promise<JsonObject> {
    const { tools } = this.#context.story;
    const tool = tools.asked(objectIn(params['toolCall']));
    const release = this.#process?.hold();
    const decision = await Promise.race([permissionFor(tool, this.#context), this.#givenUp.promise]);
    release?.();
    if (decision === null) return PERMISSION_CANCELLED;
    if (!decision.isAllowed) tools.deny(tool);
    return outcomeFor(decision.isAllowed, params['options']);
  }
}

const failedWith = (failure: Failure): TurnVerdict => ({ kind: 'failed', failure });

/** It continues after a tool. An update of the call itself may come before the desk's answer. */
const isAfterTool = ({ sessionUpdate, status }: JsonObject): boolean =>
  sessionUpdate === 'agent_message_chunk' || status === 'completed' || status === 'failed';
