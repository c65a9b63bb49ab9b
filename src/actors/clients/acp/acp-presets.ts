import { join } from 'node:path';
import type { Role } from '../../../core/model/role.ts';
import type { JsonObject } from '../../../core/model/json.ts';
import type { ClientOrder } from '../../port.ts';
import { CLAUDE, CLAUDE_SETTINGS, claudeSettings } from '../claude/claude-setup.ts';
import { chooseTools } from '../claude/claude-tools.ts';
import { CODEX } from '../codex/codex-setup.ts';
import { CODEX_SETTINGS } from '../codex/codex-profile.ts';
import type { AcpAgent } from './acp-agent.ts';

/** Agents that speak ACP and were tried, with what was seen of each. */
const CLAUDE_ACP: AcpAgent = {
  ...CLAUDE,
  name: 'claude-agent-acp',
  title: 'Claude (ACP)',
  command: ['claude-agent-acp'],
  install: 'Install it: npm install -g @agentclientprotocol/claude-agent-acp',
  versionArgs: ['--version'],
  traits: { provider: 'anthropic', canResume: true, canFork: true },
  own: { ...CLAUDE.own, except: [...CLAUDE.own.except, /^CLAUDE_AGENT_/] },
  settings: [CLAUDE_SETTINGS],
  fixed: claudeSettings,
  sessionFields: claudeFields,
};

/** As with the native client: none of the user's or the project's settings apply, and what needs no question is not asked. */
function claudeFields(role: Role, order: ClientOrder): JsonObject {
  const { offered, allowed, disallowed, asked } = chooseTools(role, order);
  const options = {
    settingSources: [],
    settings: { disableAllHooks: true, permissions: { ask: asked } },
    tools: offered,
    allowedTools: allowed,
    disallowedTools: disallowed,
    promptSuggestions: false,
    title: 'A step of a run',
    extraArgs: { 'disable-slash-commands': null },
  };
  return { _meta: { claudeCode: { options } } };
}

const CODEX_ACP: AcpAgent = {
  ...CODEX,
  name: 'codex-acp',
  title: 'Codex (ACP)',
  command: ['codex-acp'],
  install: 'Install it: npm install -g @agentclientprotocol/codex-acp',
  versionArgs: ['--version'],
  traits: { provider: 'openai', canResume: true, canFork: false },
  own: { prefixes: ['OPENAI_', 'CODEX_'], except: [/^CODEX_(HOME|SANDBOX|INTERNAL|THREAD|CI)/] },
  settings: [{ way: ['.codex'], names: CODEX_SETTINGS }],
  fixed: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), NO_BROWSER: '1' }),
  // A box cannot be built inside a box; without one its own is better than none.
  modes: ({ mode }, level) => {
    if (level === 'bubblewrap') return ['agent-full-access', 'full-access'];
    return mode === 'read' ? ['read-only'] : ['agent', 'auto'];
  },
  loginMethods: [
    { id: 'codex-api-key', variable: 'CODEX_API_KEY' },
    { id: 'openai-api-key', variable: 'OPENAI_API_KEY' },
    { id: 'api-key', variable: 'OPENAI_API_KEY' },
  ],
  errorWords:
    /^(?:error:? *)?(?:unexpected status \d{3}|exceeded retry limit|stream disconnected|.{0,60}high demand|you've hit your usage limit|quota exceeded|error sending request|\{"?error)/i,
};

const OPENCODE: AcpAgent = {
  name: 'opencode',
  title: 'OpenCode',
  command: ['opencode', 'acp'],
  install: 'Install it: npm install -g opencode-ai',
  versionArgs: ['--version'],
  traits: { provider: 'opencode', canResume: true, canFork: false },
  own: {
    prefixes: [
      'OPENCODE_',
      'ANTHROPIC_',
      'OPENAI_',
      'OPENROUTER_',
      'GOOGLE_GENERATIVE_AI_',
      'GROQ_',
      'MISTRAL_',
      'XAI_',
    ],
    // These name files that it cannot see.
    except: [/^OPENCODE_(CONFIG|CONFIG_DIR|BIN_PATH|CALLER|CLIENT|PID)$/],
  },
  loginVariables: ['OPENCODE_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY'],
  loginFiles: [
    {
      path: '.local/share/opencode/auth.json',
      movedBy: { variable: 'XDG_DATA_HOME', path: 'opencode/auth.json' },
    },
  ],
  loginHint: 'Log in with `opencode auth login`, or set the key of its provider.',
  settings: [
    { way: ['.config'], names: ['opencode'] },
    { way: [], names: ['.opencode', '.claude', '.agents'] },
  ],
  endpoint: { variable: '', host: 'the endpoint of opencode' },
  // Its own service, the list of models that it knows, and those whose keys it may have.
  hosts: [
    'opencode.ai:443',
    'models.dev:443',
    'api.anthropic.com:443',
    'api.openai.com:443',
    'openrouter.ai:443',
    'generativelanguage.googleapis.com:443',
    'api.groq.com:443',
    'api.mistral.ai:443',
    'api.x.ai:443',
  ],
  fixed: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1' }),
  reportsLastCallOnly: true,
};

const GEMINI: AcpAgent = {
  name: 'gemini',
  title: 'Gemini CLI',
  command: ['gemini', '--acp'],
  install: 'Install it: npm install -g @google/gemini-cli',
  versionArgs: ['--version'],
  // It says that it can load conversations, and does not find those of an earlier process.
  traits: { provider: 'google', canResume: false, canFork: false },
  own: {
    prefixes: ['GEMINI_', 'GOOGLE_'],
    except: [/^GEMINI_(CLI_|SANDBOX|SYSTEM_MD)/, /^GOOGLE_APPLICATION_CREDENTIALS$/],
  },
  loginVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  loginFiles: [{ path: '.gemini/oauth_creds.json' }, { path: '.gemini/google_accounts.json' }],
  loginHint: 'Log in with `gemini`, or set GEMINI_API_KEY.',
  settings: [
    {
      way: ['.gemini'],
      names: [
        'settings.json',
        'trustedFolders.json',
        'GEMINI.md',
        '.env',
        'extensions',
        'commands',
        'agents',
        'policies',
      ],
    },
    { way: [], names: ['.env'] },
  ],
  endpoint: { variable: 'GOOGLE_GEMINI_BASE_URL', host: 'generativelanguage.googleapis.com' },
  // By key, by the vendor's cloud, by login; and where a login is refreshed.
  hosts: ['generativelanguage', 'aiplatform', 'cloudcode-pa', 'oauth2'].map((name) => `${name}.googleapis.com:443`),
  fixed: () => ({
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
    NO_BROWSER: 'true',
  }),
  loginMethods: [
    { id: 'gemini-api-key', variable: 'GEMINI_API_KEY' },
    { id: 'vertex-ai', variable: 'GOOGLE_API_KEY' },
    { id: 'oauth-personal', file: '.gemini/oauth_creds.json' },
  ],
  staysAtEnd: true,
};

export const ACP_PRESETS: readonly AcpAgent[] = [CLAUDE_ACP, CODEX_ACP, OPENCODE, GEMINI];

export const acpPreset = (name: string): AcpAgent | null => ACP_PRESETS.find((agent) => agent.name === name) ?? null;
