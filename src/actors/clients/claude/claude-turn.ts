import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import { type CallOptions, DESK_NAME, type PermissionReply } from '../../port.ts';
import { objectIn, objectListIn, stringIn } from '../../read-json.ts';
import { type ClientName, deskUnreachable, endpointFailure } from '../client-failure.ts';
import type { ClientProcess } from '../process/client-process.ts';
import type { ClaudeStory } from './claude-story.ts';
import { DESK_PREFIX } from './claude-tools.ts';

/** It asks after each tool of the desk whether it may continue: a no ends its turn without a further request, and cleanly. */
const DESK_HOOKS: JsonObject = { PostToolUse: [{ matcher: `${DESK_PREFIX}.*`, hookCallbackIds: ['desk'] }] };

export interface ClaudeTurnContext {
  readonly story: ClaudeStory;
  readonly name: ClientName;
  /** The conversation as it was ordered. */
  readonly session: string;
  readonly hasDesk: boolean;
  readonly options: CallOptions;
  /** The client is up and has read what it was given. */
  readonly onUp: () => void;
}

/** The conversation with the client about one turn: the order goes in, its questions are answered, its end is waited for. */
export class ClaudeTurn {
  verdict: Failure | null = null;
  readonly #context: ClaudeTurnContext;
  #process: ClientProcess | null = null;
  #requests = 0;
  #isAccepted = false;

  constructor(context: ClaudeTurnContext) {
    this.#context = context;
  }

  begin(process: ClientProcess, prompt: string): void {
    this.#process = process;
    this.#request({ subtype: 'initialize', ...(this.#context.hasDesk ? { hooks: DESK_HOOKS } : {}) });
    this.#send({
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: prompt }] },
      parent_tool_use_id: null,
      session_id: '',
    });
  }

  /** Its reply was accepted: it is ended when it has heard so (A8). */
  accept(): void {
    this.#isAccepted = true;
    this.#process?.endSoon();
  }

  /** For the way down: it then says what it has used so far, and keeps its conversation whole. */
  interrupt(): boolean {
    if (this.#context.story.init === null || this.#context.story.result !== null) return false;
    this.#request({ subtype: 'interrupt' });
    return true;
  }

  /** A line that the story has taken in already. */
  hear(line: JsonObject): void {
    if (line['type'] === 'control_request') this.#asked(line);
    if (line['type'] === 'result') this.#process?.endInput();
    if (line['type'] !== 'system') return;
    if (line['subtype'] === 'init') this.#up(line);
    if (line['subtype'] === 'api_retry' && isAuth(line)) this.#giveUp(authFailure(this.#context.name, line));
  }

  #up(line: JsonObject): void {
    const { onUp, session, options, hasDesk, name } = this.#context;
    onUp();
    const id = stringIn(line['session_id']);
    // Versions differ in whether a resumed conversation keeps its id.
    if (id !== '' && id !== session) void options.onSession?.(id).catch(() => this.#process?.stop('cancelled'));
    const desk = objectListIn(line['mcp_servers']).find((server) => server['name'] === DESK_NAME);
    const isDown = desk === undefined || desk['status'] === 'failed' || desk['status'] === 'needs-auth';
    if (hasDesk && isDown) this.#giveUp(deskUnreachable(name));
  }

  #giveUp(verdict: Failure): void {
    this.verdict ??= verdict;
    this.#process?.stop('given-up');
  }

  #asked(line: JsonObject): void {
    const request = objectIn(line['request']);
    const id = stringIn(line['request_id']);
    if (request['subtype'] === 'hook_callback') {
      const response = this.#isAccepted ? { continue: false, stopReason: 'Its reply was accepted.' } : {};
      this.#send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
      return;
    }
    if (request['subtype'] !== 'can_use_tool') {
      this.#send({ type: 'control_response', response: { subtype: 'error', request_id: id, error: 'Not supported.' } });
      return;
    }
    const release = this.#process?.hold();
    void this.#decide(request).then((response) => {
      release?.();
      this.#send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
    });
  }

  async #decide(request: JsonObject): Promise<JsonObject> {
    const input = request['input'] ?? {};
    const decision = await this.#permission(request, input);
    if (decision.isAllowed) return { behavior: 'allow', updatedInput: input };
    return { behavior: 'deny', message: decision.message ?? 'You may not do this here.' };
  }

  async #permission(request: JsonObject, input: Json): Promise<PermissionReply> {
    const { onPermission } = this.#context.options;
    if (onPermission === undefined) return { isAllowed: false, message: 'There is no one to allow this.' };
    const reason = stringIn(request['decision_reason']);
    try {
      return await onPermission({ tool: stringIn(request['tool_name']), input, ...(reason === '' ? {} : { reason }) });
    } catch {
      return { isAllowed: false, message: 'The question could not be put to anybody.' };
    }
  }

  #request(request: JsonObject): void {
    this.#requests += 1;
    this.#send({ type: 'control_request', request_id: `troupe-${this.#requests}`, request });
  }

  #send(message: JsonObject): void {
    this.#process?.send(JSON.stringify(message));
  }
}

const isAuth = (line: JsonObject): boolean =>
  line['error'] === 'authentication_failed' || line['error_status'] === 401 || line['error_status'] === 403;

/** The first refusal is enough: it would be tried for a minute and a half, and each try may count against the account. */
function authFailure(name: ClientName, line: JsonObject): Failure {
  const signs = { status: line['error_status'] === 403 ? 403 : 401, message: stringIn(line['error']) };
  const failure = endpointFailure(name, signs, 0);
  return failure ?? { class: 'auth', code: 'AUTH_FAILED', message: `${name.title} is not logged in.` };
}
