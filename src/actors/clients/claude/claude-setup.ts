import { dirname, join } from 'node:path';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type ClientTraits, type ClientOrder, DESK_NAME, type SessionOrder } from '../../port.ts';
import type { Effort } from '../../model/model-config.ts';
import { clientEnvironment } from '../client-box.ts';
import type { ClientVendor } from '../client-vendor.ts';
import { turnFolder } from '../client-home.ts';
import type { ToolChoice } from './claude-tools.ts';

export const CLAUDE: ClientVendor = {
  title: 'Claude Code',
  own: {
    prefixes: ['ANTHROPIC_', 'CLAUDE_'],
    except: [
      /^CLAUDE_(CONFIG_DIR|PROJECT_DIR|ENV_FILE|PLUGIN_)/,
      /^CLAUDE_CODE_(ENTRYPOINT|SSE_PORT|SESSION|REMOTE|TMPDIR|CHILD|SIMPLE|SAFE_MODE|TASK|AGENT|TEAM)/,
    ],
  },
  loginVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  loginFiles: [
    { path: '.claude/.credentials.json', movedBy: { variable: 'CLAUDE_CONFIG_DIR', path: '.credentials.json' } },
  ],
  loginHint: 'Log in with `claude`, or set ANTHROPIC_API_KEY.',
  endpoint: { variable: 'ANTHROPIC_BASE_URL', host: 'api.anthropic.com' },
  // The model, and where a login is refreshed (the last one by older versions).
  hosts: ['api.anthropic.com:443', 'platform.claude.com:443', 'console.anthropic.com:443'],
};

export const CLAUDE_TRAITS: ClientTraits = {
  provider: 'anthropic',
  choosesSession: true,
  canResume: true,
  canFork: true,
};

export function claudeEnvironment(
  environment: NodeJS.ProcessEnv,
  order: Pick<ClientOrder, 'place' | 'home' | 'limits'>,
): Readonly<Record<string, string>> {
  return { ...clientEnvironment(environment, order, CLAUDE.own), ...claudeSettings(order) };
}

/** Variables for every start. */
export function claudeSettings(order: Pick<ClientOrder, 'home' | 'limits'>): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: join(order.home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // The engine decides on retries, and knows of them.
    CLAUDE_CODE_MAX_RETRIES: '1',
    // A turn ends when it says so; nothing of it continues behind.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // A memory outside its conversation would reach all other agents of the run.
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    // The desk may check for long before it answers.
    MCP_TOOL_TIMEOUT: String(Math.min(order.limits.wallMs, 2 ** 31 - 1)),
  };
}

/** Files with instructions besides ours: removed, or the next turn would obey them too. */
export const CLAUDE_SETTINGS = {
  way: ['.claude'],
  names: [
    '.claude.json .config.json backups settings.json settings.local.json remote-settings.json',
    'CLAUDE.md rules agents skills commands hooks plugins output-styles',
  ].flatMap((names) => names.split(' ')),
};

/** Input of a turn that goes into files, because arguments are short and readable by every user. */
export interface TurnFiles {
  /** Used by this turn only. */
  readonly folder: string;
  readonly system: string | null;
  readonly servers: string | null;
  /** The client has read its servers: their token should not lie about when its model begins. */
  forgetServers(): Promise<void>;
  remove(): Promise<void>;
}

export async function writeTurnFiles(order: ClientOrder, system: string): Promise<TurnFiles> {
  await mkdir(dirname(order.home), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(turnFolder(order.home));
  const put = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const servers = order.desk === null ? null : await put('servers.json', serversText(order.desk));
  return {
    folder,
    system: system === '' ? null : await put('role.md', system),
    servers,
    forgetServers: async () => {
      if (servers !== null) await rm(servers, { force: true });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Loaded from the beginning: the client would else hide the tools until its model looks for them. */
function serversText({ url, headers }: NonNullable<ClientOrder['desk']>): string {
  return JSON.stringify({ mcpServers: { [DESK_NAME]: { type: 'http', url, headers, alwaysLoad: true } } });
}

export interface ClaudeArguments {
  readonly program: string;
  readonly session: SessionOrder;
  readonly tools: ToolChoice;
  readonly files: TurnFiles;
  readonly model: string | undefined;
  readonly effort: Effort | undefined;
}

/**
 * One turn over standard input and output. Settings of the user and of the project do not apply: a project could otherwise
 * bring hooks, servers and rights. Files hold the text that other users must not read in the list of processes.
 */
export function claudeArguments(turn: ClaudeArguments): readonly string[] {
  const { program, session, tools, files, model, effort } = turn;
  const settings = JSON.stringify({ disableAllHooks: true, permissions: { ask: tools.asked } });
  return [
    program,
    ...SPEAKING,
    '--setting-sources',
    '',
    ...option('--settings', settings),
    '--tools',
    tools.offered.join(','),
    ...option('--allowedTools', tools.allowed.join(',')),
    ...option('--disallowedTools', tools.disallowed.join(',')),
    ...option('--append-system-prompt-file', files.system),
    ...option('--mcp-config', files.servers),
    ...option('--model', model),
    ...option('--effort', effort),
    ...sessionWords(session),
  ];
}

const SPEAKING = [
  '-p --input-format stream-json --output-format stream-json --verbose --include-partial-messages',
  '--permission-prompt-tool stdio --strict-mcp-config --disable-slash-commands',
].flatMap((args) => args.split(' '));

const option = (name: string, value: string | null | undefined): readonly string[] =>
  value === null || value === undefined || value === '' ? [] : [name, value];

function sessionWords(session: SessionOrder): readonly string[] {
  const own = option('--session-id', session.id);
  if (session.how === 'new') return own;
  if (session.how === 'resumed') return ['--resume', session.id];
  return ['--resume', session.from, '--fork-session', ...own];
}
