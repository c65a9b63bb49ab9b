import { describe, expect, test } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { RequestLine, RequestView } from '../../src/protocol/request-trace.ts';
import { configFor, scriptedProject } from './projects.ts';
import { jsonLines, type Sandbox } from './sandbox.ts';

const KEY = 'sk-verysecretkey-0123456789';

/** One finished run against a real endpoint, and the bodies that arrived there. */
async function finishedRun(): Promise<{ readonly sandbox: Sandbox; readonly bodies: readonly unknown[] }> {
  const server = await startScriptedServer();
  const config = configFor(server.url).replace('model: scripted', 'model: scripted, api_key_env: MY_KEY');
  const sandbox = scriptedProject({ '.troupe/config.yaml': config });
  const environment = { MY_KEY: KEY };
  const { code, stderr } = await sandbox.troupe(['run', 'two_steps', `Count. The key is ${KEY}.`], { environment });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  await server.close();
  return { sandbox, bodies: server.requests.map(({ body }) => body) };
}

describe('[A3] troupe prompt trace', () => {
  test('shows every request of a finished run exactly as the endpoint got it', async () => {
    const { sandbox, bodies } = await finishedRun();
    const trace = (...words: readonly string[]) =>
      sandbox.troupe(['prompt', 'trace', 'last', ...words], { environment: { MY_KEY: KEY } });
    const lines = listed((await trace('--json')).stdout);
    expect(lines).toMatchObject([
      { number: 1, agent: 'worker', state: 'start', call: 1, actor: 'model', model: 'scripted', cut: [] },
      { number: 2, agent: 'worker', state: 'again', call: 1, step: null, isSummary: false, failure: null },
    ]);
    for (const [at, body] of bodies.entries()) {
      const raw = await trace('--call', String(at + 1), '--raw');
      // What left held the key, because the user wrote it; what is shown never does.
      expect(raw.stdout).not.toContain(KEY);
      expect(JSON.parse(raw.stdout)).toEqual(JSON.parse(JSON.stringify(body).replaceAll(KEY, '[MY_KEY]')));
    }
    const view = JSON.parse((await trace('--call', '2', '--json')).stdout) as RequestView;
    expect(view.difference).toMatchObject({ with: 1, isLonger: true });
    expect(
      view.blocks.filter(({ section }) => section !== 'tools').map(({ origin }) => origin.replace(/\d+/, 'N')),
    ).toEqual([
      'shared, then role worker',
      'order to worker (record N)',
      'worker (record N)',
      'order to worker (record N)',
    ]);
    const text = (await trace('--call', '2')).stdout;
    expect(text).toMatch(/window +█░+ <?\d+ % of 128k: [\d.]+k? tokens estimated, [\d.]+k? reported by the provider/);
    expect(text).toContain('begins as request 1');
    expect((await trace('--diff', '1,2')).stdout).toContain('+ messages user (order to worker');
    const difference = jsonLines((await trace('--diff', '1,2', '--json')).stdout);
    expect(difference).toMatchObject([{ kind: 'request.difference', isLonger: true }]);
  });

  test('names the order of a short text, and the run that made a request before a fork', async () => {
    const sandbox = scriptedProject();
    const run = jsonLines((await sandbox.troupe(['run', 'two_steps', 'Go', '--json'])).stdout)[0]?.['run'];
    const view = JSON.parse(
      (await sandbox.troupe(['prompt', 'trace', 'last', '--call', '1', '--json'])).stdout,
    ) as RequestView;
    expect(view.blocks.find(({ section }) => section === 'messages')?.origin).toMatch(
      /^order to worker \(record \d+\)$/,
    );
    expect((await sandbox.troupe(['fork', String(run), '--at', 'again'])).code).toBe(0);
    const forked = listed((await sandbox.troupe(['prompt', 'trace', 'last', '--json'])).stdout);
    expect(forked.map(({ state, inheritedFrom }) => [state, inheritedFrom])).toEqual([
      ['start', run],
      ['again', undefined],
    ]);
    expect((await sandbox.troupe(['prompt', 'trace', 'last'])).stdout).toMatch(/^# +MADE BY +AGENT/);
    expect((await sandbox.troupe(['prompt', 'trace', String(run)])).stdout).not.toContain('MADE BY');
  });

  test('shows requests as they left after the role, the notes, a tool and the model have changed, and after a fork', async () => {
    const server = await startScriptedServer({ scenario: reading(16, WINDOW) });
    const sandbox = changingProject(server, 1);
    expect((await sandbox.troupe(['trust', '--yes'])).code).toBe(0);
    expect(await sandbox.troupe(['run', 'two_steps', 'Read all of big.txt.'])).toMatchObject({ code: 0 });
    const before = await printed(sandbox);
    expect(before).toEqual(receivedBy(server));
    expect((await sandbox.troupe(['prompt', 'trace', 'last'])).stdout).toContain('summary');
    for (const [path, text] of Object.entries(changing(server, 2))) sandbox.write(path, text);
    expect(await printed(sandbox)).toEqual(before);
    expect((await sandbox.troupe(['trust', '--yes'])).code).toBe(0);
    // A fork goes on in another process, with what the project says now where that was not recorded.
    expect((await sandbox.troupe(['fork', 'last', '--at', 'again'])).code).toBe(0);
    await server.close();
    const own = receivedBy(server).slice(before.length);
    expect(own.every((text) => text.includes('model-2'))).toBe(true);
    const forked = await printed(sandbox);
    expect(forked).toEqual([...before.slice(0, forked.length - own.length), ...own]);
  });

  test('what cannot be shown is refused with what to do', async () => {
    const sandbox = scriptedProject();
    await sandbox.troupe(['run', 'two_steps', 'Count.']);
    for (const [words, message] of BAD_INPUT) {
      const { code, stderr } = await sandbox.troupe(['prompt', 'trace', ...words]);
      expect({ words, code }).toEqual({ words, code: 2 });
      expect(stderr).toContain(message);
    }
  });
});

const BAD_INPUT: readonly (readonly [readonly string[], string])[] = [
  [['nope'], 'RUN_UNKNOWN: There is no run "nope".'],
  [['last', '--agent', 'bob'], 'hint: Those that did: worker.'],
  [['last', '--call', '3'], 'hint: They are numbered from 1 to 2.'],
  [['last', '--call', '0'], '--call must be a whole number, 1 or more; it is 0.'],
  [['last', '--agent', 'worker', '--call', '3'], 'hint: They are numbered from 1 to 2.'],
  [['last', '--raw'], 'hint: Say which: --call 1'],
  [['last', '--diff', '1'], 'hint: For example: --diff 3,4'],
];

const WINDOW = 24_000;

/** Reads a further part of the file with each call, then is done. */
function reading(calls: number, window: number) {
  const reads = Array.from({ length: calls }, (_, index) => ({
    when: { agent: 'worker', state: 'start', call: index + 1 },
    reply: { tools: [{ name: 'read_file', arguments: { path: 'big.txt', offset: index * 150 + 1 } }] },
  }));
  const parsed = parseScenario({
    window,
    rules: [...reads, { when: { agent: 'worker' }, reply: 'It is about words.' }],
  });
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.scenario;
}

/** All that a request is made of besides the conversation, worded by a number. */
const changing = ({ url }: ScriptedServer, number: number): Readonly<Record<string, string>> => ({
  '.troupe/config.yaml': `models:\n  base: { provider: anthropic, model: model-${number}, base_url: "${url}", window: ${WINDOW + number} }\n`,
  '.troupe/roles/roles.json': JSON.stringify({
    worker: { level: 'base', systemMessage: `You work. Version ${number}.` },
  }),
  'AGENTS.md': `Notes of the project, version ${number}. ${'Keep lines short. '.repeat(20)}\n`,
  '.troupe/tools/shout.ts': `import { defineTool } from 'troupe';
export const tool = defineTool({
  name: 'shout',
  description: 'Says it loud, version ${number}.',
  parameters: { type: 'object', properties: {} },
  access: 'talk',
  repeat: 'safe',
  run: () => 'HEY',
});
`,
});

const changingProject = (server: ScriptedServer, number: number): Sandbox =>
  scriptedProject({
    ...changing(server, number),
    'big.txt': Array.from({ length: 4000 }, (_, at) => `line ${at + 1}: some words that fill the window`).join('\n'),
  });

/** Every request of the last run, as `--raw` prints it. */
async function printed(sandbox: Sandbox): Promise<readonly string[]> {
  const trace = (...words: readonly string[]) => sandbox.troupe(['prompt', 'trace', 'last', ...words]);
  const lines = listed((await trace('--json')).stdout);
  const texts: string[] = [];
  for (const { number } of lines) texts.push((await trace('--call', String(number), '--raw')).stdout.trimEnd());
  return texts;
}

/** The SDK writes bodies as `JSON.stringify` does. */
const receivedBy = ({ requests }: ScriptedServer): readonly string[] =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.stringify(body));

const listed = (stdout: string): readonly RequestLine[] =>
  (JSON.parse(stdout) as { readonly items: readonly RequestLine[] }).items;
