import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { PAGES_SERVER } from '../cli/pages-server.ts';
import { TWO_STEPS } from '../cli/projects.ts';
import { createSandbox } from '../cli/sandbox.ts';
import { findClient, type FoundClient } from './find-client.ts';

// Large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 180_000 });

interface Met {
  readonly actor: string;
  readonly client: FoundClient;
  /** Of the desk's tools, as its model calls them. */
  readonly prefix: string;
  readonly settings: (program: string) => object;
  readonly environment: (url: string) => Readonly<Record<string, string>>;
}

const KEY = 'sk-test-0123456789';
const anthropic = (url: string) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url });

const MET: readonly Met[] = [
  {
    actor: 'claude-code',
    client: findClient('claude'),
    prefix: 'mcp__troupe__',
    settings: (program) => ({ 'claude-code': { program } }),
    environment: anthropic,
  },
  {
    actor: 'codex',
    client: findClient('codex'),
    prefix: '',
    settings: (program) => ({ codex: { program, model: 'scripted' } }),
    environment: (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` }),
  },
  {
    actor: 'acp:claude-agent-acp',
    client: findClient('claude-agent-acp'),
    prefix: 'mcp__troupe__',
    settings: (program) => ({ acp: { 'claude-agent-acp': { command: [program] } } }),
    environment: anthropic,
  },
];

const COUNT_LINES = `import { readFileSync, writeFileSync } from 'node:fs';
export const tool = {
  name: 'count_lines',
  description: 'Counts the lines of a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  access: 'write',
  repeat: 'safe',
  run: ({ path }, { folder }) => {
    const { length } = readFileSync(folder + '/' + path, 'utf8').split('\\n');
    writeFileSync(folder + '/counted.txt', String(length));
    return path + ' has ' + length + ' lines.';
  },
};
`;

const spoken = ({ prefix }: Met) => [
  {
    when: { contains: 'Count and read' },
    steps: [
      { tools: [{ name: `${prefix}count_lines`, arguments: { path: 'notes.txt' } }] },
      { tools: [{ name: `${prefix}mcp__pages__page`, arguments: { name: 'home' } }] },
      'I counted and read.',
    ],
  },
];

const FILES = {
  '.troupe/config.yaml': 'mcp:\n  pages: { command: [node, ./servers/pages.mjs], env: [PAGES_KEY], tools: [page] }\n',
  '.troupe/roles/roles.json': JSON.stringify({ worker: { systemMessage: 'You work.' } }),
  '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS),
  '.troupe/tools/count-lines.mjs': COUNT_LINES,
  'servers/pages.mjs': PAGES_SERVER,
  'notes.txt': 'one\ntwo\nthree',
};

describe.each(MET)('tools for the real client $client.title', (met) => {
  const { actor, client } = met;

  test.skipIf(client.isMissing)('[A9] its model calls a tool of the project and one of an MCP server', async () => {
    const parsed = parseScenario(spoken(met));
    if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
    const server = await startScriptedServer({ scenario: parsed.scenario });
    onTestFinished(() => server.close());
    const sandbox = createSandbox(FILES);
    const folder = join(sandbox.home, '.config/troupe');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ actors: met.settings(client.program) }));
    const environment = { ...met.environment(server.url), PAGES_KEY: 'pages-key-0123456789' };
    await sandbox.troupe(['trust', '--yes'], { environment });
    const ran = await sandbox.troupe(['run', 'two_steps', 'Count and read', '--actor', `worker=${actor}`], {
      environment,
    });
    expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 0 });
    expect(heard(server)).toContain('notes.txt has 3 lines.');
    expect(heard(server)).toMatch(/Page home for \[/);
    expect(heard(server)).not.toContain('pages-key-0123456789');
    // What the tool wrote into the client's workspace is part of the result.
    expect((await sandbox.troupe(['diff', 'last'], { environment })).stdout).toContain('counted.txt');
    const traced = await sandbox.troupe(['prompt', 'trace', 'last', '--call', '1'], { environment });
    expect(traced.stdout).toContain('`mcp__pages__page` Reads a page.');
    expect(traced.stdout).toContain('`count_lines` Counts the lines of a file.');
  });
});

/** All that the client's model was sent. */
const heard = ({ requests }: ScriptedServer): string => JSON.stringify(requests.map(({ body }) => body));
