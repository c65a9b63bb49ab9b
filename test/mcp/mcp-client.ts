import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { PROGRAM, type Sandbox } from '../cli/sandbox.ts';

export type ToolAnswer = Readonly<Record<string, unknown>> & {
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
};

/** `troupe mcp` as a separate process, and the protocol's own client. */
export interface McpSession {
  readonly client: Client;
  /** What it wrote to standard error. */
  readonly stderr: () => string;
  /** The structured answer; of an error what its text says. */
  readonly call: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;
}

export interface SessionOptions {
  readonly words?: readonly string[];
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly negotiation?: ClientOptions['versionNegotiation'] & object;
}

export async function openMcp(sandbox: Sandbox, options: SessionOptions = {}): Promise<McpSession> {
  const { words = [], folder = sandbox.project, negotiation = { mode: 'legacy' }, environment = {} } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...words],
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: sandbox.home,
      TROUPE_HOME: sandbox.home,
      TROUPE_SANDBOX: 'best',
      ...environment,
    },
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const client = new Client({ name: 'a-test', version: '1' }, { versionNegotiation: negotiation });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return {
    client,
    stderr: () => stderr,
    call: async (tool, given = {}) => {
      const answer = await client.callTool({ name: tool, arguments: { ...given } });
      const [first] = answer.content;
      const text = first?.type === 'text' ? (JSON.parse(first.text) as ToolAnswer) : {};
      return answer.isError === true ? text : ((answer.structuredContent ?? {}) as ToolAnswer);
    },
  };
}
