import type { CallToolResult, ContentBlock, Tool as ListedTool } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../core/model/json.ts';
import { withoutValues } from '../../secrets/without-values.ts';
import { refusedTool } from '../define-tool.ts';
import { Passing } from '../passing.ts';
import type { McpService, ToolResult } from '../port.ts';
import { capped } from '../tool-answer.ts';
import type { McpServerSettings } from './endpoint.ts';
import { endpointSecrets } from './open-transport.ts';
import { ServerLink } from './server-link.ts';
import { boundText, ServerProblem, serverProblemText } from './process-transport.ts';

/**
 * An MCP server that agents call for as long as the host lives. It is started with the first use and kept. One that ends is
 * started again with the next call; one that ends twice without an answer in between stays down, so that no run starts the
 * same broken program over and over.
 */
export class AgentServer {
  readonly name: string;
  readonly settings: McpServerSettings;
  readonly #service: McpService;
  #link: Promise<ServerLink> | null = null;
  #failures = 0;
  #isClosed = false;

  constructor(name: string, settings: McpServerSettings, service: McpService) {
    this.name = name;
    this.settings = settings;
    this.#service = service;
  }

  /** Its tools as it lists them now. */
  async list(): Promise<readonly ListedTool[]> {
    const timeLimit = AbortSignal.timeout(this.#startMs);
    const link = await this.#linked();
    try {
      return await link.list(timeLimit);
    } catch (error) {
      await this.#drop(link);
      throw this.#failure(error, { link, timeLimit, limitMs: this.#startMs });
    }
  }

  async call(tool: ListedTool, input: JsonObject, signal: AbortSignal): Promise<ToolResult> {
    if (this.#isClosed || this.#failures >= MOST_FAILURES) return refusedTool(this.#downText(), 'MCP_SERVER_DOWN');
    const link = await this.#linked();
    const timeLimit = AbortSignal.timeout(this.#callMs);
    try {
      const result = await link.call(tool, input, AbortSignal.any([signal, timeLimit]));
      this.#failures = 0;
      const text = capped(serverResultText(result));
      return { content: result.isError === true ? this.#plain(text) : text, isError: result.isError === true };
    } catch (error) {
      signal.throwIfAborted();
      return await this.#explain(error, { tool, link, timeLimit });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const link = await this.#link?.catch(() => null);
    await link?.close();
  }

  get #startMs(): number {
    return this.settings.timeoutMs ?? START_MS;
  }

  get #callMs(): number {
    return this.settings.timeoutMs ?? CALL_MS;
  }

  get #subject(): string {
    return `The MCP server "${this.name}"`;
  }

  /** A server that ended between calls is started again. */
  async #linked(): Promise<ServerLink> {
    const opening = this.#link ?? this.#open();
    const link = await opening;
    if (link.isOpen) return link;
    if (this.#link === opening) this.#link = null;
    return await (this.#link ?? this.#open());
  }

  #open(): Promise<ServerLink> {
    const opening = this.#opened();
    this.#link = opening;
    opening.catch(() => void (this.#link = this.#link === opening ? null : this.#link));
    return opening;
  }

  async #opened(): Promise<ServerLink> {
    const timeLimit = AbortSignal.timeout(this.#startMs);
    const placed = { endpoint: this.settings, setting: `mcp.${this.name}` };
    let link: ServerLink | null = null;
    try {
      link = await ServerLink.of(placed, this.#service, TOO_MUCH);
      await link.connect(timeLimit);
      return link;
    } catch (error) {
      this.#failures += 1;
      await link?.close();
      throw link === null ? error : this.#failure(error, { link, timeLimit, limitMs: this.#startMs });
    }
  }

  async #explain(error: unknown, { tool, link, timeLimit }: FailedCall): Promise<ToolResult> {
    const refusal = timeLimit.aborted ? null : refusalIn(error);
    if (refusal !== null) return await this.#refusedBy(link, tool, refusal);
    const isSlow = timeLimit.aborted && link.isOpen && (await link.answers());
    if (!isSlow) await this.#drop(link);
    if (!timeLimit.aborted && !(error instanceof ServerProblem)) this.#failures += 1;
    throw this.#failure(error, { link, timeLimit, limitMs: this.#callMs });
  }

  /** A server can take a tool away at any time; the list that agents have stays as it is. */
  async #refusedBy(link: ServerLink, tool: ListedTool, reason: string): Promise<ToolResult> {
    const now = await link.list(AbortSignal.timeout(this.#callMs)).catch(() => null);
    if (now !== null && !now.some(({ name }) => name === tool.name)) {
      const text = `${this.#subject} no longer has the tool ${JSON.stringify(tool.name)}. Continue without it.`;
      return refusedTool(text, 'TOOL_GONE');
    }
    return refusedTool(`${this.#subject} refused the call: ${this.#plain(boundText(reason, MAX_REASON))}`);
  }

  async #drop(link: ServerLink): Promise<void> {
    if ((await this.#link?.catch(() => null)) === link) this.#link = null;
    await link.close();
  }

  #failure(error: unknown, { link, timeLimit, limitMs }: Failed): Error {
    if (timeLimit.aborted) {
      return new Passing(`${this.#subject} did not answer within ${limitMs / 1000} s.`, { cause: error });
    }
    const secrets = endpointSecrets(this.settings, this.#service);
    const text = serverProblemText(error, { subject: this.#subject, transport: link.transport, secrets });
    return error instanceof ServerProblem ? new Error(text, { cause: error }) : new Passing(text, { cause: error });
  }

  #plain(text: string): string {
    return withoutValues(text, endpointSecrets(this.settings, this.#service));
  }

  #downText(): string {
    return `${this.#subject} ended or failed to start ${MOST_FAILURES} times in a row and is not started again in this run. Continue without it.`;
  }
}

interface FailedCall {
  readonly tool: ListedTool;
  readonly link: ServerLink;
  readonly timeLimit: AbortSignal;
}

interface Failed extends Pick<FailedCall, 'link' | 'timeLimit'> {
  readonly limitMs: number;
}

const TOO_MUCH = 'it returned more than 4 MB at once; ask it for less';
const START_MS = 30_000;
const CALL_MS = 60_000;
const MOST_FAILURES = 2;
const MAX_REASON = 2000;

/** The message of a server that lives and did not want the call: an error with a number, in the words of the protocol. */
function refusalIn(error: unknown): string | null {
  const isRefusal = error instanceof Error && 'code' in error && typeof error.code === 'number';
  return isRefusal ? error.message : null;
}

/** The result of a server's tool as text for the agent. Images and audio are named, not sent. */
function serverResultText({ content, structuredContent }: CallToolResult): string {
  const text = content.map(blockText).join('\n').trim();
  if (text !== '') return text;
  return structuredContent === undefined ? '(It returned nothing.)' : JSON.stringify(structuredContent);
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${block.data.length} characters of base64: not shown]`;
    case 'resource_link':
      return `[resource ${block.uri}: ${block.name}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}: not text, not shown]`;
    default:
      return '[content of an unknown kind: not shown]';
  }
}
