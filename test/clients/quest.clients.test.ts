import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { QuestView } from '../../src/formats/quest/views/quest-view.ts';
import { createSandbox, jsonLines, type Sandbox } from '../cli/sandbox.ts';
import { isRunning, processesWith, until } from './client-rig.ts';
import { findClient, type FoundClient } from './find-client.ts';

// Whole quests with large programs, on machines that may be busy with others.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

interface Step {
  readonly id: string;
  readonly after: readonly string[];
}

const SIX: readonly Step[] = [
  { id: 'words', after: [] },
  { id: 'tones', after: [] },
  { id: 'names', after: [] },
  { id: 'greeter', after: ['words', 'names'] },
  { id: 'shouter', after: ['tones'] },
  { id: 'program', after: ['greeter', 'shouter'] },
];

const DIAMOND: readonly Step[] = [
  { id: 'base', after: [] },
  { id: 'left', after: ['base'] },
  { id: 'right', after: ['base'] },
  { id: 'top', after: ['left', 'right'] },
];

/** How a client names what it can do. */
interface Words {
  readonly desk: (tool: string) => string;
  readonly shell: (command: string) => { readonly name: string; readonly arguments: object };
}

const CLAUDE: Words = {
  desk: (tool) => `mcp__troupe__${tool}`,
  shell: (command) => ({ name: 'Bash', arguments: { command, description: 'A command' } }),
};

const CODEX: Words = {
  desk: (tool) => tool,
  shell: (command) => ({ name: 'exec_command', arguments: { cmd: command } }),
};

/** What the model says as each of the roles: the plan comes from PathSeeker's own tool call. */
function plot(steps: readonly Step[], words: Words = CLAUDE): readonly unknown[] {
  const hand = (tool: string, given: object) => ({ tools: [{ name: CLAUDE.desk(tool), arguments: given }] });
  const signal = (stepId: string, given: object) => hand('signal_back', { stepId, ...given });
  const woven = (id: string) => `mkdir -p src && sleep 1 && echo ${id} > src/${id}.txt`;
  const step = (id: string) => [
    {
      when: { contains: `/The step to test is "${id}"/` },
      steps: [signal(id, { signal: 'complete', summary: `${id} holds` }), 'Done.'],
    },
    {
      when: { contains: `/Your step is "${id}"/` },
      steps: [
        { tools: [words.shell(woven(id))] },
        {
          tools: [
            {
              name: words.desk('signal_back'),
              arguments: { stepId: id, signal: 'complete', summary: `${id} is written` },
            },
          ],
        },
        'Done.',
      ],
    },
  ];
  return [
    {
      when: { contains: 'The id of your step is "review"' },
      steps: [signal('review', { signal: 'complete', summary: 'It is as it should be.' }), 'Done.'],
    },
    ...steps.flatMap(({ id }) => step(id)),
    {
      when: { contains: 'A person answered: ' },
      steps: [
        hand('set_requirements', { requirements: ['It greets.'], contexts: [], observables: ['A text.'] }),
        'Done.',
      ],
    },
    {
      when: { contains: 'Map it to the files' },
      steps: [
        hand('plan_steps', {
          steps: steps.map(({ id, after }) => ({
            id,
            title: `Write ${id}`,
            files: [`src/${id}.txt`],
            after,
            acceptance: [`src/${id}.txt is there`],
          })),
        }),
        'Done.',
      ],
    },
    {
      when: { contains: '# The request' },
      steps: [
        signal('requirements', { signal: 'needs-user-input', question: 'Which language?', context: 'It greets.' }),
        'Waiting.',
      ],
    },
  ];
}

const claude = findClient('claude');
const codex = findClient('codex');

describe.skipIf(claude.isMissing)(`a quest with the real client ${claude.title}`, () => {
  test('[Q1] [Q3] [Q5] [Q9] [L6] six steps, three at a time: a question, a dead agent and a dead engine later all is merged', async () => {
    const quest = await begin(plot(SIX));
    const asked = await quest.troupe(['run', 'quest', 'A greeter', '--actor', 'claude-code', '--json', '--no-input']);
    expect(asked.code).toBe(3);
    const run = String(jsonLines(asked.stdout).at(-1)?.['run']);
    const answering = quest.start(['answer', run, 'q1', 'English', '--json']);
    const sessions = await sessionsOf(answering.lines, 3);
    process.kill(await agentWith(sessions[0] ?? ''), 'SIGKILL');
    await sessionsOf(answering.lines, 1);
    answering.child.kill('SIGKILL');
    await answering.ended;
    const resumed = await quest.troupe(['resume', run, '--json', '--no-input']);
    expect(jsonLines(resumed.stdout).at(-1)).toMatchObject({ outcome: 'ok' });
    expectMerged(quest.sandbox, run, SIX);
    const story = JSON.parse((await quest.troupe(['quest', 'show', run, '--json'])).stdout) as QuestView;
    expect(story.steps.map(({ id, status }) => [id, status])).toEqual(SIX.map(({ id }) => [id, 'merged']));
    expect(JSON.parse(readFileSync(join(quest.sandbox.home, 'runs', run, 'quest.json'), 'utf8'))).toEqual(story);
    await quest.close();
  });

  test.skipIf(codex.isMissing)(`[Q4] a diamond of four, with ${codex.title} as Codeweaver`, async () => {
    const quest = await begin(plot(DIAMOND, CODEX), codex);
    const cast = ['--actor', 'claude-code', '--actor', 'codeweaver=codex'];
    const asked = await quest.troupe(['run', 'quest', 'A greeter', ...cast, '--json', '--no-input']);
    const run = String(jsonLines(asked.stdout).at(-1)?.['run']);
    const answered = await quest.troupe(['answer', run, 'q1', 'English', '--json', '--no-input']);
    expect(jsonLines(answered.stdout).at(-1)).toMatchObject({ outcome: 'ok' });
    expectMerged(quest.sandbox, run, DIAMOND);
    await quest.close();
  });
});

interface Quest {
  readonly sandbox: Sandbox;
  readonly troupe: Sandbox['troupe'];
  readonly start: Sandbox['start'];
  close(): Promise<void>;
}

async function begin(rules: readonly unknown[], second?: FoundClient): Promise<Quest> {
  const parsed = parseScenario(rules);
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server: ScriptedServer = await startScriptedServer({ scenario: parsed.scenario });
  const sandbox = createSandbox({ 'readme.txt': 'a sample\n', '.troupe/config.yaml': "ward: ['ls readme.txt']\n" });
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: sandbox.project });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'first');
  const settings = join(sandbox.home, '.config/troupe');
  mkdirSync(settings, { recursive: true });
  const actors = {
    'claude-code': { program: claude.program },
    ...(second === undefined ? {} : { codex: { program: second.program, model: 'scripted' } }),
  };
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify({ actors }));
  const environment = {
    ANTHROPIC_API_KEY: 'sk-test-0123456789',
    ANTHROPIC_BASE_URL: server.url,
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: `${server.url}/v1`,
  };
  return {
    sandbox,
    troupe: (words) => sandbox.troupe(words, { environment }),
    start: (words) => sandbox.start(words, { environment }),
    close: () => server.close(),
  };
}

/** The sessions of the next Codeweavers that are reported. */
async function sessionsOf(lines: AsyncIterator<string>, count: number): Promise<readonly string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`It ended after ${found.length} sessions.`);
    const line = JSON.parse(value) as { kind?: string; agent?: string; session?: string };
    if (line.kind === 'session.noted' && line.agent === 'codeweaver') found.push(line.session ?? '');
  }
  return found;
}

/** The session is written down before there is a program. */
async function agentWith(session: string): Promise<number> {
  const running = () => processesWith(session).filter((pid) => isRunning(claude.program, pid));
  await until(() => running().length > 0);
  return running()[0] ?? 0;
}

/** All of it is on the branch, and nothing of the user's was touched. */
function expectMerged({ project }: Sandbox, run: string, steps: readonly Step[]): void {
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: project, encoding: 'utf8' });
  const files = git('ls-tree', '-r', '--name-only', `troupe/${run}`).trim().split('\n');
  expect(files).toEqual(expect.arrayContaining(steps.map(({ id }) => `src/${id}.txt`)));
  for (const { id } of steps) expect(git('show', `troupe/${run}:src/${id}.txt`)).toBe(`${id}\n`);
  expect(git('status', '--porcelain')).toBe('');
}
