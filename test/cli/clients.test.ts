import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunView } from '../../src/protocol/run-view.ts';
import { agentHome } from '../clients/agent-home.ts';
import { SCENARIO, TWO_STEPS } from './projects.ts';
import { createSandbox, jsonLines, root, type Sandbox } from './sandbox.ts';

/** What the real client once said in a turn with a sub-agent, without what came in pieces. */
const SAID = readFileSync(join(root, 'src/actors/clients/claude/fixtures/minion.ndjson'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.includes('"stream_event"'));
const ITS_SESSION = '11111111-1111-4111-8111-111111111101';

const USED_UP =
  '{"type":"result","subtype":"success","is_error":true,"result":"Session limit reached, resets in 2 seconds","api_error_status":429}';

const NO_LOGIN =
  '{"type":"result","subtype":"success","is_error":true,"result":"Not logged in, please run /login","api_error_status":401}';

/** A client that says what the real one once said, and writes down how it was started. */
const FAKE = `#!/bin/sh
if [ "$1" = --version ]; then echo '2.1.400 (Claude Code)'; exit 0; fi
printf '%s\\n' "$*" >> "$HOME/started"
if [ -e "$(dirname "$0")/used-up" ]; then echo '${USED_UP}'; exit 0; fi
if [ -e "$(dirname "$0")/no-login" ]; then echo '${NO_LOGIN}'; exit 1; fi
while [ $# -gt 0 ]; do case "$1" in --session-id|--resume) session="$2";; esac; shift; done
exec sed "s/${ITS_SESSION}/$session/g" <<'END'
${SAID.join('\n')}
END
`;

interface Bench {
  readonly sandbox: Sandbox;
  /** With the client on the path. */
  readonly environment: Readonly<Record<string, string>>;
  readonly bin: string;
}

function bench(files: Readonly<Record<string, string>> = {}): Bench {
  const sandbox = createSandbox({
    '.troupe/roles/roles.json': JSON.stringify({ worker: { level: 'base', systemMessage: 'You work.' } }),
    '.troupe/workflows/two_steps.json': JSON.stringify(TWO_STEPS, null, 2),
    ...files,
  });
  const bin = join(dirname(sandbox.project), 'bin');
  fakeClient(bin);
  const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, ANTHROPIC_API_KEY: 'sk-ant-very-secret' };
  return { sandbox, environment, bin };
}

function fakeClient(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'claude'), FAKE);
  chmodSync(join(folder, 'claude'), 0o755);
}

const runOf = (stdout: string): string => String(jsonLines(stdout).at(-1)?.['run']);

test('[Q4] a state machine is played by a client: its final text is the answer, and its session goes on', async () => {
  const { sandbox, environment } = bench();
  const { home } = sandbox;
  const ran = await sandbox.troupe(['run', 'two_steps', 'Go', '--actor', 'worker=claude-code', '--verbose'], {
    environment,
  });
  expect(ran).toMatchObject({ code: 0, stdout: 'All done.\n' });
  expect(ran.stderr).toMatch(/\[worker\] begins as claude-code, session [0-9a-f]{8}\n/);
  expect(ran.stderr).toMatch(/\[worker\] continues session [0-9a-f]{8} of claude-code\n/);
  expect(ran.stderr).toContain('[worker › general-purpose] ✓ Bash echo minion > m.txt');
  expect(ran.stderr).toMatch(/\[worker\] ✓ sub-agent general-purpose: Look around \([\d.]+k? tokens\)/);

  const [run = ''] = readdirSync(join(home, 'agents'));
  const own = agentHome(home, run);
  expect(statSync(own).mode & 0o777).toBe(0o700);
  const [first = '', second = ''] = readFileSync(join(own, 'started'), 'utf8').split('\n');
  const session = /--session-id (\S+)/.exec(first)?.[1] ?? '';
  expect(second).toContain(`--resume ${session}`);

  const shown = await sandbox.troupe(['show', run, '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    agents: [{ agent: 'worker', actor: 'claude-code', turns: 2, minions: [{ name: 'general-purpose', tools: 1 }, {}] }],
  });
  expect((await sandbox.troupe(['show', run])).stdout).toMatch(
    /agent {5}worker: claude-code, session .*\n {10}└ general-purpose/,
  );
  expect((await sandbox.troupe(['logs', run])).stdout).toContain('general-purpose › ✓ Bash echo minion > m.txt');
});

test('[L7] what a client said is kept word for word, and is printed by turn', async () => {
  const { sandbox, environment } = bench();
  const run = runOf(
    (await sandbox.troupe(['run', 'two_steps', 'Go', '--actor', 'claude-code', '--json'], { environment })).stdout,
  );
  const raw = await sandbox.troupe(['logs', run, '--raw', '--task', 't1']);
  const shown = JSON.parse((await sandbox.troupe(['show', run, '--json'])).stdout) as RunView;
  const session = shown.agents?.[0]?.session ?? '';
  expect(raw.stdout).toBe(SAID.map((line) => `${line.replaceAll(ITS_SESSION, session)}\n`).join(''));
  const both = await sandbox.troupe(['logs', run, '--raw', '--json']);
  expect(new Set(jsonLines(both.stdout).map(({ task }) => task))).toEqual(new Set(['t1', 't2']));
  const none = await sandbox.troupe(['logs', run, '--raw', '--task', 't9']);
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('There is: t1, t2.');
  expect((await sandbox.troupe(['logs', run, '--task', 't1'])).stderr).toContain('--task goes with --raw');
});

test('[L6] who plays a run is part of it: resumed or forked, the same one goes on', async () => {
  const { sandbox, environment } = bench();
  const begin = ['run', 'two_steps', 'Go', '--actor', 'claude-code', '--max-tokens', '1', '--json'];
  const begun = await sandbox.troupe(begin, { environment });
  expect(begun.code).toBe(4);
  const run = runOf(begun.stdout);
  const resumed = await sandbox.troupe(['resume', run, '--max-tokens', '1000000'], { environment });
  expect(resumed).toMatchObject({ code: 0, stdout: 'All done.\n' });
  const started = (name: string): readonly string[] =>
    readFileSync(join(agentHome(sandbox.home, name), 'started'), 'utf8')
      .trimEnd()
      .split('\n');
  expect(started(run)).toHaveLength(2);

  // Its home begins as a copy of the other one's.
  const forked = await sandbox.troupe(['fork', run, '--at', 'start', '--json'], { environment });
  const [, , third] = started(runOf(forked.stdout));
  expect(third).toContain('--session-id');
  const other = await sandbox.troupe(['fork', run, '--at', 'start', '--actor', 'worker=acp:none'], { environment });
  expect(other.stderr).toContain('ACTOR_UNKNOWN');
});

test.each([
  [['--actor', 'claud-code'], 'ACTOR_UNKNOWN', 'Did you mean "claude-code"?'],
  [['--actor', 'worker=acp:mine'], 'ACTOR_UNKNOWN', 'actors: { acp: { mine: { command: [PROGRAM] } } }'],
  [['--actor', 'wroker=claude-code'], 'AGENT_UNKNOWN', 'Did you mean "worker"?'],
  [['--actor', 'acp:gemini'], 'CLIENT_MISSING', 'troupe doctor'],
  [['--actor', 'scripted'], 'MODEL_MISSING', 'provider: scripted'],
])('[L3] %j is refused before there is a run', async (words, code, hint) => {
  const { sandbox, environment, bin } = bench();
  const refused = await sandbox.troupe(['run', 'two_steps', 'Go', ...words], {
    environment: { ...environment, PATH: `${bin}:/usr/bin:/bin` },
  });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(code);
  expect(refused.stderr).toContain(hint);
  expect(jsonLines((await sandbox.troupe(['list', '--json'])).stdout)).toMatchObject([{ items: [] }]);
});

test('[L9] a limit in money is refused for a client without a known cost', async () => {
  const { sandbox, environment, bin } = bench();
  writeFileSync(join(bin, 'gemini'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const words = ['run', 'two_steps', 'Go', '--actor', 'acp:gemini', '--max-usd', '1'];
  const refused = await sandbox.troupe(words, { environment });
  expect(refused.stderr).toContain('PRICE_MISSING');
  expect(refused.stderr).toContain('actors.acp.gemini.price');
});

test('[L8] a program that the project names is not started before the user agreed, and again when it changed', async () => {
  const { sandbox, environment } = bench({
    '.troupe/config.yaml': 'actors: { claude-code: { program: ./tools/claude } }\n',
  });
  const { project, home } = sandbox;
  fakeClient(join(project, 'tools'));
  const words = ['run', 'two_steps', 'Go', '--actor', 'claude-code'];
  const refused = await sandbox.troupe(words, { environment });
  expect(refused.stderr).toContain('PROJECT_UNTRUSTED');
  expect(refused.stderr).toContain('as the agent claude-code');
  expect(existsSync(join(home, 'agents'))).toBe(false);
  expect(await sandbox.troupe(['trust', '--yes'])).toMatchObject({ code: 0 });
  expect(await sandbox.troupe(words, { environment })).toMatchObject({ code: 0, stdout: 'All done.\n' });
  sandbox.write('tools/claude', `${FAKE}# another\n`);
  expect((await sandbox.troupe(words, { environment })).stderr).toContain('PROJECT_UNTRUSTED');
});

test('[U4] the doctor tells of each client what is found, how it is logged in, and never the key', async () => {
  const { sandbox, environment, bin } = bench();
  const report = await sandbox.troupe(['doctor', '--json'], { environment });
  const { items: findings } = JSON.parse(report.stdout) as {
    readonly items: readonly { readonly client?: { readonly kind: string } }[];
  };
  const clients = new Map(findings.flatMap(({ client }) => (client === undefined ? [] : [[client.kind, client]])));
  expect(clients.get('claude-code')).toMatchObject({
    isFound: true,
    path: join(bin, 'claude'),
    version: '2.1.400',
    isLoggedIn: true,
    login: 'ANTHROPIC_API_KEY',
    traits: { canResume: true, canFork: true },
  });
  expect([...clients.keys()]).toEqual(expect.arrayContaining(['codex', 'acp:gemini', 'acp:opencode']));
  expect(report.stdout).not.toContain('very-secret');
  const text = await sandbox.troupe(['doctor'], { environment });
  expect(text.stdout).toContain(`claude-code: 2.1.400 (${join(bin, 'claude')}), logged in by ANTHROPIC_API_KEY`);
});

test('[U4] a client that is configured and missing is an error, and so is a wrong path', async () => {
  const { sandbox, environment } = bench();
  const settings = userConfig(sandbox, 'actors: { codex: { program: /no/such/codex } }');
  const report = await sandbox.troupe(['doctor'], { environment: { ...environment, XDG_CONFIG_HOME: settings } });
  expect(report.code).toBe(1);
  expect(report.stdout).toMatch(/error +agent +codex: not installed\. There is no program \/no\/such\/codex\./);
  // One that nothing asks for is neither right nor wrong.
  expect(report.stdout).toMatch(/^absent +agent +acp:gemini: not installed\./m);
});

test('[U4] what clients keep goes with the files of their run', async () => {
  const { sandbox, environment } = bench();
  const { home } = sandbox;
  const run = runOf(
    (await sandbox.troupe(['run', 'two_steps', 'Go', '--actor', 'claude-code', '--json'], { environment })).stdout,
  );
  expect(existsSync(join(home, 'agents', run))).toBe(true);
  expect(await sandbox.troupe(['prune', '--older-than', '0s', '--keep', '0'])).toMatchObject({ code: 0 });
  expect(existsSync(join(home, 'agents', run))).toBe(false);
  expect((await sandbox.troupe(['logs', run, '--raw'])).stderr).toContain('RAW_MISSING');
});

test('[Q4] a role names its actor; the command line has the last word', async () => {
  const { sandbox, environment } = bench({
    '.troupe/config.yaml': 'models:\n  base: { provider: scripted, scenario: answers.yaml }\n',
    '.troupe/roles/roles.json': JSON.stringify({ worker: { systemMessage: 'You work.', actor: 'claude-code' } }),
    'answers.yaml': SCENARIO,
  });
  const words = ['run', 'two_steps', 'Go'];
  expect(await sandbox.troupe(words, { environment })).toMatchObject({ code: 0, stdout: 'All done.\n' });
  for (const actor of ['model', 'scripted']) {
    const played = await sandbox.troupe([...words, '--actor', `worker=${actor}`], { environment });
    expect(played).toMatchObject({ code: 0, stdout: 'Done.\n' });
  }
});

test('[L3] an unknown actor is reported by check and by run, with file and line', async () => {
  const agents = [{ agent_role: 'worker', context: 'talk', role: 'assistant', actor: 'codx' }];
  const { sandbox, environment } = bench({
    '.troupe/workflows/two_steps.json': JSON.stringify({ ...TWO_STEPS, agents }, null, 2),
  });
  const line = sandbox
    .read('.troupe/workflows/two_steps.json')
    .split('\n')
    .findIndex((each) => each.includes('"agent_role"'));
  const file = '.troupe/workflows/two_steps.json';
  for (const words of [
    ['check', file],
    ['run', 'two_steps', 'Go'],
  ]) {
    const report = await sandbox.troupe(words, { environment });
    expect(report.code).toBe(2);
    const text = `${report.stdout}${report.stderr}`;
    expect(text).toContain(`${file}:${line + 1}:`);
    expect(text).toContain('There is no actor named "codx".');
    expect(text).toContain('Did you mean "codex"?');
  }
});

test('[L3] a role with an unknown actor is reported where it is used', async () => {
  const { sandbox, environment } = bench({
    '.troupe/roles/roles.json': JSON.stringify({ worker: { systemMessage: 'You work.', actor: 'acp:mine' } }),
  });
  const report = await sandbox.troupe(['check', '.troupe/workflows/two_steps.json'], { environment });
  expect(report.code).toBe(2);
  expect(report.stdout).toContain('The role "worker" names one that is not there. There is no actor named "acp:mine".');
  const known = await sandbox.troupe(['check', '.troupe/workflows/two_steps.json'], {
    environment: {
      ...environment,
      XDG_CONFIG_HOME: userConfig(sandbox, 'actors: { acp: { mine: { command: [x] } } }'),
    },
  });
  expect(known).toMatchObject({ code: 0 });
});

test('[Q5] a quota that is used up is waited for, and is known to other processes meanwhile', async () => {
  const { sandbox, environment, bin } = bench({ '.troupe/config.yaml': 'retry: { base_ms: 1, max_ms: 1 }\n' });
  const mark = join(bin, 'used-up');
  writeFileSync(mark, '');
  let shown = '';
  const running = sandbox.start(['run', 'two_steps', 'Go', '--actor', 'claude-code', '--json'], { environment });
  for (let line = await running.lines.next(); !line.done; line = await running.lines.next()) {
    if (!line.value.includes('"call.failed"')) continue;
    const [run = ''] = readdirSync(join(sandbox.home, 'agents'));
    expect(readFileSync(join(sandbox.home, 'breakers.json'), 'utf8')).toContain('anthropic');
    shown = (await sandbox.troupe(['show', run])).stdout;
    // It may have been over before anybody looked; then it is used up once more.
    if (shown.includes('waits for quota until ')) rmSync(mark, { force: true });
  }
  const ended = await running.ended;
  expect(shown).toContain('waits for quota until ');
  expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ outcome: 'ok', output: 'All done.' });
  expect((await sandbox.troupe(['logs', 'last'])).stdout).toMatch(/QUOTA_\w+: .* It waits for quota until /);
});

/** The smallest agent that speaks ACP: it says which variables it was given. */
const ACP_AGENT = `
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const mine = Object.keys(process.env).filter((name) => name.endsWith('_KEY')).join();
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
  'session/new': () => ({ sessionId: 'conversation-1' }),
  'session/load': () => ({}),
  'session/prompt': ({ sessionId }) => {
    const content = { type: 'text', text: 'I have ' + mine };
    send({ method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } } });
    return { stopReason: 'end_turn' };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && answers[method]) send({ id, result: answers[method](params) });
}
`;

test('[Q4] an agent that speaks ACP plays a role once it is declared, and gets only the variables it was given', async () => {
  const { sandbox, environment, bin } = bench();
  writeFileSync(join(bin, 'agent.mjs'), ACP_AGENT);
  const mine = { command: [process.execPath, join(bin, 'agent.mjs')], env: ['MY_KEY'] };
  const settings = userConfig(sandbox, JSON.stringify({ actors: { acp: { mine } } }));
  const ran = await sandbox.troupe(['run', 'two_steps', 'Go', '--actor', 'worker=acp:mine', '--verbose'], {
    environment: { ...environment, MY_KEY: 'key-of-the-agent', XDG_CONFIG_HOME: settings },
  });
  expect(ran.stderr).toContain('[worker] begins as acp:mine, session conversa\n');
  expect(ran.stderr).toContain('[worker] continues session conversa of acp:mine\n');
  expect(ran).toMatchObject({ code: 0, stdout: 'I have MY_KEY\n' });
});

/** Settings of the user's own, beside the project; the result is where they lie. */
function userConfig({ home }: Sandbox, text: string): string {
  const folder = join(home, 'config');
  mkdirSync(join(folder, 'troupe'), { recursive: true });
  writeFileSync(join(folder, 'troupe/config.yaml'), `${text}\n`);
  return folder;
}

test('[Q5] a quest whose agent is not logged in says so where it pauses, and what to do', async () => {
  const { sandbox, environment, bin } = bench();
  await sandbox.troupe(['init']);
  writeFileSync(join(bin, 'no-login'), '');
  const begin = ['run', 'quest', 'Greet people', '--actor', 'codeweaver=claude-code', '--no-input'];
  const paused = await sandbox.troupe(begin, { environment });
  expect(paused.code).toBe(3);
  expect(paused.stderr).toMatch(/^The run is paused, LOGIN_NEEDED: .*\nhint: Log in with .*troupe resume \w+$/m);
  const steps = await sandbox.troupe(['quest', 'steps']);
  expect(steps.stdout).toMatch(/^\w+: paused; .*$/m);
  expect(steps.stdout).toMatch(/^paused: LOGIN_NEEDED: .* Log in with .*troupe resume \w+$/m);
});
