import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/host/testing/manual-clock.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { calls, loadModuleFile, newFolder, review, StageBench } from './stage-bench.ts';
import { DOCUMENT_ALONE, writeOwn, type OwnParts } from './modules.ts';

const task = (body: string): object => calls('submit_task', { subject: 'Done', body });
const ROLES = Object.fromEntries(
  ['writer', 'critic', 'editor', 'left', 'right', 'join', 'first', 'second', 'spare'].map((name) => [
    name,
    { systemMessage: `You are ${name}.` },
  ]),
);

describe('[ST2] a workflow written against the document alone', () => {
  test('runs, with Maps and Sets that its functions change', async () => {
    const folder = newFolder();
    const file = join(folder, 'newsletter.mjs');
    writeFileSync(file, DOCUMENT_ALONE);
    const bench = new StageBench({
      folder,
      roles: ROLES,
      rules: [
        {
          when: { agent: 'writer' },
          steps: [
            calls('write_file', { path: 'column.md', content: 'words\n' }),
            calls('submit_artifact', { kind: 'documentation', files: ['column.md'], summary: 'written' }),
          ],
        },
        { when: { agent: 'critic', visit: 1 }, reply: review('NEEDS_REVISION') },
        { when: { agent: 'critic' }, reply: review('APPROVED') },
        { when: { agent: 'editor' }, reply: calls('report_status', { status: 'complete', summary: 'printed' }) },
      ],
    });
    const played = await bench.startFile(file, 'newsletter');
    expect(played.failure).toBe(null);
    expect(played).toMatchObject({
      outcome: 'ok',
      output: {
        summary:
          'writer, critic, editor; drafts: 2; counts: draft=2 done:draft=1 critique=2 done:critique=1 print=1 done:print=1',
      },
    });
    expect(played.states).toEqual(['draft', 'critique', 'draft', 'critique', 'print', 'done']);
  });

  test('[ST6] a message to a role that is not in the workflow ends the run with a code that reaches the person', async () => {
    const folder = newFolder();
    const file = writeOwn(folder, {
      stages: [
        { name: 'one', agent: 'first' },
        { name: 'two', agent: 'second' },
      ],
      route: `return { messages: [{ to: 'nobody', message }] };`,
    });
    const bench = new StageBench({ folder, roles: ROLES, rules: [{ when: { agent: 'first' }, reply: task('done') }] });
    const played = await bench.startFile(file, 'own');
    expect(played).toMatchObject({ outcome: 'failed', failure: { code: 'UNKNOWN_ROLE' } });
    expect(played.failure?.message).toContain('nobody');
    expect(bench.notices.join('\n')).toContain('UNKNOWN_ROLE');
  });

  test('a function that throws is reported by its name', async () => {
    const folder = newFolder();
    const file = writeOwn(folder, { stages: [{ name: 'one', agent: 'first' }], route: `throw new Error('no way');` });
    const bench = new StageBench({ folder, roles: ROLES, rules: [{ when: { agent: 'first' }, reply: task('done') }] });
    const played = await bench.startFile(file, 'own');
    expect(played).toMatchObject({ outcome: 'failed', failure: { code: 'STAGE_CODE_FAILED' } });
    expect(played.failure?.message).toMatch(/own.*routeMessage.*no way/);
  });

  test('a function that never returns is stopped, and reported by its name and the limit', async () => {
    const folder = newFolder();
    const file = writeOwn(folder, {
      stages: [{ name: 'one', agent: 'first' }],
      config: { functionTimeout: 200 },
      route: `for (;;);`,
    });
    const bench = new StageBench({ folder, roles: ROLES, rules: [{ when: { agent: 'first' }, reply: task('done') }] });
    const played = await bench.startFile(file, 'own');
    expect(played).toMatchObject({ outcome: 'failed', failure: { code: 'STAGE_CODE_FAILED' } });
    expect(played.failure?.message).toMatch(/own.*routeMessage.*0\.2 s/);
  });

  test('a function that never returns does not keep anybody from cancelling the run', async () => {
    const folder = newFolder();
    const mark = join(folder, 'reached');
    const file = writeOwn(folder, {
      stages: [{ name: 'one', agent: 'first' }],
      before: `import { writeFileSync } from 'node:fs';`,
      route: `writeFileSync(${JSON.stringify(mark)}, ''); for (;;);`,
    });
    const bench = new StageBench({ folder, roles: ROLES, rules: [{ when: { agent: 'first' }, reply: task('done') }] });
    const definition = await bench.definition('own', await loadModuleFile(file));
    const run = await bench.host.start({ definition, input: { goal: 'x' }, project: folder });
    await vi.waitUntil(() => existsSync(mark), { timeout: 30_000 });
    await bench.host.cancel(run, 'ann', 'enough');
    expect(await bench.rest(run)).toMatchObject({ outcome: 'cancelled' });
  });

  test('a function that ends its thread is reported by its name', async () => {
    const folder = newFolder();
    const file = writeOwn(folder, { stages: [{ name: 'one', agent: 'first' }], route: `process.exit(0);` });
    const bench = new StageBench({ folder, roles: ROLES, rules: [{ when: { agent: 'first' }, reply: task('done') }] });
    const played = await bench.startFile(file, 'own');
    expect(played).toMatchObject({ outcome: 'failed', failure: { code: 'STAGE_CODE_FAILED' } });
    expect(played.failure?.message).toMatch(/own.*routeMessage.*ended/);
  });

  test('[ST3] conditions that the module registers are its own', async () => {
    const folder = newFolder();
    const stages: OwnParts['stages'] = [
      { name: 'one', agent: 'first', outputTo: ['two'] },
      {
        name: 'two',
        agent: 'second',
        inputFrom: ['one'],
        optional: true,
        condition: { type: 'custom', customCheck: 'isLong' },
        outputTo: ['three'],
      },
      { name: 'three', agent: 'spare', inputFrom: ['two'] },
    ];
    const register = `
      const checks = globalThis[Symbol.for('troupe.stages.1.conditions')];
      if (checks.has('isLong')) throw new Error('it is there already');
      checks.set('isLong', (state, message) => message.content.body.length > 5);`;
    const rules = [
      { when: { agent: 'first' }, reply: task('short') },
      { when: { agent: 'spare' }, reply: task('ready') },
    ];
    for (const name of ['a', 'b']) {
      const bench = new StageBench({ folder, roles: ROLES, rules });
      const file = writeOwn(join(folder), { stages, before: `// ${name}\n${register}` });
      const played = await bench.startFile(file, 'own');
      expect(played.states).toEqual(['one', 'three', 'done']);
    }
  });
});

const PAIR = {
  stages: [
    { name: 'begin', agent: 'first', outputTo: ['left', 'right'] },
    { name: 'left', agent: 'left', inputFrom: ['begin'], outputTo: ['join'] },
    { name: 'right', agent: 'right', inputFrom: ['begin'], outputTo: ['join'] },
    { name: 'join', agent: 'join', inputFrom: ['left', 'right'] },
  ],
  config: { parallelAgents: true },
};

describe('[ST5] stages at the same time', () => {
  test('run together where their inputs allow it, and the stage that joins them gets both', async () => {
    const folder = newFolder();
    const bench = new StageBench({
      folder,
      roles: ROLES,
      rules: [
        { when: { agent: 'join', contains: '/from the left[\\s\\S]*from the right/' }, reply: task('both') },
        { when: { agent: 'left' }, reply: task('from the left') },
        { when: { agent: 'right' }, reply: task('from the right') },
        { when: { agent: 'first' }, reply: task('go') },
      ],
    });
    const played = await bench.startFile(writeOwn(folder, PAIR), 'own');
    expect(played.failure).toBe(null);
    expect(played).toMatchObject({ outcome: 'ok' });
    expect(played.states).toEqual(['begin', 'together', 'join', 'done']);
    const order = played.facts.flatMap((fact) => {
      if (fact.kind === 'task.started' && fact.unit !== null) return [`${fact.unit} begins`];
      return fact.kind === 'task.ended' && fact.output !== null && JSON.stringify(fact.output).includes('calls')
        ? ['ends']
        : [];
    });
    expect(order.slice(0, 2)).toEqual(['left begins', 'right begins']);
  });

  test('each keeps its own time limit, and one that fails leaves the other alone', async () => {
    const folder = newFolder();
    const { stages } = PAIR;
    const file = writeOwn(folder, {
      stages: stages.map((stage) => (stage.name === 'left' ? { ...stage, timeout: 50, optional: true } : stage)),
      config: { parallelAgents: true },
    });
    const bench = new StageBench({
      folder,
      roles: ROLES,
      rules: [
        { when: { agent: 'left' }, reply: { hang: true } },
        { when: { agent: 'right' }, reply: { delay_ms: 300, ...task('from the right') } },
        { when: { agent: 'join' }, reply: task('one of two') },
        { when: { agent: 'first' }, reply: task('go') },
      ],
    });
    const played = await bench.startFile(file, 'own');
    expect(played.failure).toBe(null);
    expect(played.output).toMatchObject({ summary: 'begin complete, left failed, right complete, join complete' });
    expect(bench.notices.join('\n')).toContain('TIMEOUT in stage left');
  });

  test('one may ask the person while the others work', async () => {
    const folder = newFolder();
    const bench = new StageBench({
      folder,
      roles: ROLES,
      rules: [
        { when: { agent: 'left', contains: 'blue' }, reply: task('a blue one') },
        { when: { agent: 'left' }, reply: calls('ask_question', { question: 'Which colour?' }) },
        { when: { agent: 'right' }, reply: task('from the right') },
        { when: { agent: 'join' }, reply: task('both') },
        { when: { agent: 'first' }, reply: task('go') },
      ],
    });
    const waiting = await bench.startFile(writeOwn(folder, PAIR), 'own');
    expect(waiting.questions.map(({ text }) => text)).toEqual(['In the stage left, left asks: Which colour?']);
    expect(await bench.answer(waiting.run, 'blue')).toMatchObject({ outcome: 'ok' });
  });
});

const FAILING = { when: { agent: 'first' }, reply: { status: 400, error: 'bad', message: 'not today' } };

describe('[ST5] agents that step in', () => {
  const stages = [{ name: 'one', agent: 'first', fallback: ['second', 'spare'] }];

  test('a stage names who plays it next when its agent failed', async () => {
    const folder = newFolder();
    const rules = [
      FAILING,
      { ...FAILING, when: { agent: 'second' } },
      { when: { agent: 'spare' }, reply: task('done') },
    ];
    const bench = new StageBench({ folder, roles: ROLES, rules });
    const played = await bench.startFile(writeOwn(folder, { stages }), 'own');
    expect(played).toMatchObject({ outcome: 'ok' });
    expect(played.states).toEqual(['one', 'one', 'one@second', 'one@second', 'one@spare', 'done']);
  });

  test('so does a role, where the stage names no fallback', async () => {
    const folder = newFolder();
    const bench = new StageBench({
      folder,
      roles: { ...ROLES, first: { systemMessage: 'You are first.', fallback: ['spare'] } },
      rules: [FAILING, { when: { agent: 'spare' }, reply: task('done') }],
    });
    const file = writeOwn(folder, { stages: [{ name: 'one', agent: 'first' }] });
    const played = await bench.startFile(file, 'own');
    expect(played.states).toEqual(['one', 'one', 'one@spare', 'done']);
  });

  test('a role that falls back to an unknown role is reported', async () => {
    const folder = newFolder();
    const bench = new StageBench({ folder, roles: { ...ROLES, first: { fallback: ['nobody'] } }, rules: [] });
    const file = writeOwn(folder, { stages: [{ name: 'one', agent: 'first' }] });
    await expect(bench.startFile(file, 'own')).rejects.toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ code: 'ROLE_UNKNOWN' })]),
    });
  });
});

describe('[ST3] failureStrategy', () => {
  const two = (failureStrategy: string) => ({
    stages: [
      { name: 'one', agent: 'first', outputTo: ['two'] },
      { name: 'two', agent: 'second' },
    ],
    config: { failureStrategy },
  });
  const rules = [
    { when: { agent: 'first' }, reply: task('go') },
    { ...FAILING, when: { agent: 'second' } },
  ];

  test.for([
    ['abort', 'failed', 2],
    ['continue', 'partial', 2],
    ['retry', 'failed', 3],
  ] as const)('%s: %s after %i tries', async ([strategy, outcome, tries]) => {
    const folder = newFolder();
    const bench = new StageBench({ folder, roles: ROLES, rules });
    const played = await bench.startFile(writeOwn(folder, two(strategy)), 'own');
    expect(played).toMatchObject({ outcome, failure: { code: 'AGENT_ERROR' } });
    expect(played.states.filter((state) => state === 'two')).toHaveLength(tries);
  });

  test('maxDuration ends the run with what there is, marked partial', async () => {
    const folder = newFolder();
    const clock = new ManualClock();
    const file = writeOwn(folder, { ...two('retry'), config: { failureStrategy: 'retry', maxDuration: 90_000 } });
    const bench = new StageBench({
      folder,
      clock,
      roles: ROLES,
      rules: [
        { when: { agent: 'first' }, reply: task('go') },
        { when: { agent: 'second' }, reply: { hang: true } },
      ],
    });
    bench.host.onLive((event) => {
      if (event.kind !== 'record' || event.record.fact.kind !== 'task.started') return;
      const ring = (): unknown => (clock.nextAlarm === undefined ? setImmediate(ring) : clock.advance(90_001));
      if (event.record.fact.state === 'two') ring();
    });
    const played = await bench.startFile(file, 'own');
    expect(played).toMatchObject({ outcome: 'partial', failure: { code: 'TIMEOUT' }, output: { partial: true } });
    expect(played.states).toEqual(['one', 'two', 'partial']);
  });

  test('the time that a person takes for an answer is no part of it', async () => {
    const folder = newFolder();
    const clock = new ManualClock();
    const file = writeOwn(folder, { ...two('abort'), config: { failureStrategy: 'abort', maxDuration: 90_000 } });
    const bench = new StageBench({
      folder,
      clock,
      roles: ROLES,
      rules: [
        { when: { agent: 'first', visit: 1 }, reply: calls('ask_question', { question: 'Really?' }) },
        { when: {}, reply: task('go') },
      ],
    });
    const waiting = await bench.startFile(file, 'own');
    clock.advance(10_000_000);
    expect(await bench.answer(waiting.run, 'yes')).toMatchObject({ outcome: 'ok' });
  });
});

describe('[ST2] the code a run began with', () => {
  const STAGES = [
    { name: 'one', agent: 'first', outputTo: ['two'] },
    { name: 'two', agent: 'second' },
  ];
  const log = (folder: string): readonly string[] => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
  const routing = (folder: string, word: string): string =>
    `note(${JSON.stringify(word)} + ' ' + from); return { messages: [] };`.replace(
      'note(',
      `fs.appendFileSync(${JSON.stringify(join(folder, 'log'))}, '\\n' + `,
    );

  test('goes on when its file has changed, and functions are not called again for what is journaled', async () => {
    const folder = newFolder();
    const journal = createMemoryJournal();
    writeFileSync(join(folder, 'word.mjs'), `export const word = 'old';\n`);
    const parts = {
      stages: STAGES,
      before: `import fs from 'node:fs';\nimport { word } from './word.mjs';`,
      route: routing(folder, 'X').replace('"X"', 'word'),
    };
    const file = writeOwn(folder, parts);
    appendFileSync(join(folder, 'log'), 'begin');
    const rules = [
      { when: { agent: 'first' }, reply: task('go') },
      { when: { agent: 'second', visit: 1 }, reply: calls('ask_question', { question: 'Really?' }) },
      { when: { agent: 'second' }, reply: task('ready') },
    ];
    const first = new StageBench({ folder, roles: ROLES, journal, rules });
    const waiting = await first.startFile(file, 'own');
    expect(waiting.status).toBe('waiting');
    await first.host.shutdown();
    writeFileSync(join(folder, 'word.mjs'), `export const word = 'new';\n`);
    const second = new StageBench({ folder, roles: ROLES, journal, rules });
    await second.host.resume(waiting.run);
    const played = await second.answer(waiting.run, 'yes');
    expect(played).toMatchObject({ outcome: 'ok' });
    expect(log(folder)).toEqual(['begin', 'old first', 'old second', 'old second']);
  });

  test('is paused when it is nowhere any more, and says what to do', async () => {
    const folder = newFolder();
    const journal = createMemoryJournal();
    const file = writeOwn(folder, { stages: STAGES });
    const rules = [{ when: { agent: 'first' }, reply: calls('ask_question', { question: 'Really?' }) }];
    const first = new StageBench({ folder, roles: ROLES, journal, rules });
    const waiting = await first.startFile(file, 'own');
    await first.host.shutdown();
    writeFileSync(file, readFileSync(file, 'utf8').replace('A workflow of my own', 'Another'));
    rmSync(join(folder, '.home'), { recursive: true });
    const second = new StageBench({ folder, roles: ROLES, journal, rules });
    await second.host.resume(waiting.run);
    const rest = await second.answer(waiting.run, 'yes');
    expect(rest.status).toBe('paused');
    expect((await second.host.snapshot(waiting.run)).held?.failure?.code).toBe('MODULE_GONE');
  });
});
