import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { questPlace } from '../../src/formats/quest/app/quest-writer.ts';
import { git, gitProject, lineOf } from '../cli/file-projects.ts';
import { jsonLines } from '../cli/sandbox.ts';
import { openMcp } from '../mcp/mcp-client.ts';
import { openEvents } from '../web/live/event-reader.ts';
import { TreeFollower } from '../web/live/tree-follower.ts';
import { startReceiver } from '../telemetry/otlp-receiver.ts';
import { path, serve } from '../web/server/served.ts';
import { startTellingModel } from './support/telling-model.ts';
import { filesHolding, storeContent, storesIn } from './support/store-content.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** What is looked for: the forms that the guide names. */
const formsOf = (key: string): Readonly<Record<string, string>> => ({
  plain: key,
  base64: base64(key).replaceAll('=', '').slice(0, -1),
  'base64 after one byte': base64(`x${key}`).slice(2, -4),
  'base64 after two bytes': base64(`xx${key}`).slice(3, -4),
  url: encodeURIComponent(key),
  'url in lower case': encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
  json: JSON.stringify(key).slice(1, -1),
  'json twice': JSON.stringify(JSON.stringify(key)).slice(3, -3),
  hex: Buffer.from(key).toString('hex'),
});

/** Every object that a branch reaches, unpacked. */
function reachable(project: string): string {
  const objects = execFileSync('git', ['rev-list', '--objects', '--all'], { cwd: project, encoding: 'latin1' });
  const names = objects.split('\n').map((line) => line.split(' ')[0] ?? '');
  const content = execFileSync('git', ['cat-file', '--batch'], {
    cwd: project,
    input: names.join('\n'),
    encoding: 'latin1',
  });
  return objects + content;
}

test('[F69] a key that a model says in any form stands in no output of the program', { timeout: 240_000 }, async () => {
  const key = `sk-${randomBytes(12).toString('hex')}/+"${randomBytes(12).toString('hex')}`;
  const heard = Promise.withResolvers<void>();
  const model = await startTellingModel(key, () => heard.promise);
  const collector = await startReceiver();
  const sandbox = gitProject();
  const line = `{ provider: openai-compatible, base_url: "${model.url}/v1", model: m, api_key_env: SPOKEN }`;
  const notified = join(sandbox.project, '../notified.txt');
  const hook = `env | grep ^TROUPE_ >> ${notified}`;
  sandbox.write('.troupe/config.yaml', `models:\n  base: ${line}\nward: ['true']\nnotify: ${JSON.stringify(hook)}\n`);
  const environment = { SPOKEN: key, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const settings = { ...environment, TROUPE_TRUST: 'project' };
  const said = async (...words: string[]): Promise<string> => {
    const { stdout, stderr } = await sandbox.start(words, { environment: settings }).ended;
    return stdout + stderr;
  };
  await said('trust', '--yes');

  const arguments_: string[] = [];
  const watching = setInterval(
    () => arguments_.push(execFileSync('ps', ['axww', '-o', 'args'], { encoding: 'latin1' })),
    500,
  );
  onTestFinished(() => clearInterval(watching));
  const served = await serve(sandbox, [], { environment: settings });
  onTestFinished(() => void served.running.child.kill());
  const started = sandbox.start(['run', 'two_steps', `Use ${key}`, '--json'], { environment: settings });
  const run = String((await lineOf(started, 'run.started'))['run']);
  const follower = await TreeFollower.open(
    new URL(served.url).origin,
    { cards: true, after: { [run]: 0 } },
    served.token,
  );
  // The model goes on, in the middle of its key, when the page shows what it said before.
  await follower.until(() => follower.texts().length > 0);
  heard.resolve();
  await follower.until(() => follower.card(run)?.status === 'settled');
  follower.close();
  const running = await started.ended;
  clearInterval(watching);
  const lines = jsonLines(running.stdout);
  expect(lines.at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok' });
  const quest = await sandbox.start(['quest', 'new', `Use ${key}`, '--json'], { environment: settings }).ended;
  const questRun = String(jsonLines(quest.stdout).at(-1)?.['run']);
  expect(jsonLines(quest.stdout).at(-1)).toMatchObject({ kind: 'run.settled', outcome: 'ok' });
  // The model was spoken to with the key, so that it is the real one.
  expect(model.authorized()).toBeGreaterThan(3);

  const pages = [
    '/',
    path(run),
    path(run, '/records'),
    path(run, '/agents'),
    path(run, '/changes'),
    path(run, '/logs'),
  ];
  const answers = await Promise.all(pages.map((one) => served.get(one)));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
  const opened = await openEvents(new URL(served.url).origin + path(run, '/events'), {
    headers: { authorization: `Bearer ${served.token}` },
  });
  const events = await opened.until((seen) => seen.some(({ data }) => data.includes('run.settled')));
  opened.close();
  const session = await openMcp(sandbox, { environment: settings });
  const mcp = [await session.call('run_result', { run }), await session.call('run_status', { run })];

  const outputs: Readonly<Record<string, string>> = {
    'run: standard output': running.stdout,
    'run: standard error': running.stderr,
    show: await said('show', run),
    'show --json': await said('show', run, '--json'),
    logs: await said('logs', run),
    'logs --json': await said('logs', run, '--json'),
    watch: await said('watch', run),
    events: JSON.stringify(events),
    'live stream': JSON.stringify(follower.batches),
    'live text': follower
      .texts()
      .map(({ text }) => text)
      .join(''),
    'quest: standard output': quest.stdout + quest.stderr,
    'quest show': await said('quest', 'show', questRun),
    'quest files':
      readFileSync(questPlace(sandbox.home, questRun).json, 'utf8') +
      readFileSync(questPlace(sandbox.home, questRun).text, 'utf8'),
    'quest: show --json': await said('show', questRun, '--json'),
    'quest: messages': await said('messages', questRun, '--json'),
    'quest: artifacts': await said('artifacts', questRun, '--json'),
    notify: readFileSync(notified, 'utf8'),
    compare: await said('compare', run),
    'Prometheus metrics': await said('metrics', '--prometheus'),
    snapshots: storesIn(sandbox.home).map(storeContent).join(''),
    list: await said('list', '--json'),
    diff: await said('diff', run),
    artifacts: await said('artifacts', run, '--json'),
    metrics: await said('metrics', '--json'),
    doctor: await said('doctor'),
    patch:
      (await said('deliver', run, '--patch', 'result.patch')) +
      readFileSync(join(sandbox.project, 'result.patch'), 'latin1'),
    branch: reachable(sandbox.project) + git(sandbox, 'log', '-p', '--all'),
    page: answers.map(({ text }) => text).join('\n'),
    mcp: JSON.stringify(mcp) + session.stderr(),
    traces: collector.texts.join('\n'),
    'names of processes': arguments_
      .join('\n')
      .split('\n')
      .filter((args) => !args.includes('Use sk-'))
      .join('\n'),
  };
  const hits = Object.entries(outputs).flatMap(([output, text]) =>
    Object.entries(formsOf(key)).flatMap(([form, value]) => (text.includes(value) ? [`${output}: ${form}`] : [])),
  );
  expect(hits).toEqual([]);
  // The engine's home: journal and its log, bodies, kept lines, log files, workspaces.
  for (const value of Object.values(formsOf(key))) expect(filesHolding(sandbox.home, value)).toEqual([]);
  // The search works: what the model said is there, without the key.
  const speaking = ['show', 'show --json', 'watch', 'live stream', 'quest files', 'snapshots', 'branch', 'page'];
  for (const output of speaking) expect([output, outputs[output]?.includes('[redacted]')]).toEqual([output, true]);
  // The model stopped within its key, and nothing of it was shown.
  expect(outputs['live text']).toMatch(/^plain: (?!sk)/);
  expect(outputs['branch']).toContain('key: [redacted]');
  expect(outputs['logs --json']).toContain('out/joined.txt:1 (SPOKEN)');
  expect(outputs['show']).toMatch(/^redacted +out\/joined\.txt:1 \(SPOKEN\)$/m);
  expect(outputs['notify']).toContain(`TROUPE_RUN=${questRun}`);
  expect(collector.texts.length).toBeGreaterThan(0);
});
