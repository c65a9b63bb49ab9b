import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../src/core/model/json.ts';
import { defineWorkflow } from '../../src/index.ts';
import { codeOf, libraryProject, type LibraryProject } from './library.ts';

const INDEX = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;

/** A turn, then a question; the answer is the output. */
const FLOW = `defineWorkflow({
  name: 'approval',
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'writer', input: () => 'Write.' }, transitions: ['ask'] },
    ask: {
      work: { kind: 'ask', question: () => 'Publish it?' },
      transitions: [{ target: 'done', assign: (run) => { run.common_data.answer = run.result; } }],
    },
    done: { kind: 'end', output: (run) => run.common_data.answer },
  },
})`;

const approval = defineWorkflow({
  name: 'approval',
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'writer', input: () => 'Write.' }, transitions: ['ask'] },
    ask: {
      work: { kind: 'ask', question: () => 'Publish it?' },
      transitions: [
        {
          target: 'done',
          assign: (run) => {
            run.common_data['answer'] = String(run.result);
          },
        },
      ],
    },
    done: { kind: 'end', output: (run) => run.common_data['answer'] },
  },
});

interface OtherProcess {
  readonly child: ChildProcess;
  /** What it says next; null at its end. */
  next(): Promise<JsonObject | null>;
}

/** A separate program that opens the same project. It says things with \`say\`. */
function otherProcess({ options }: LibraryProject, program: string): OtherProcess {
  const code = `import { defineWorkflow, openTroupe } from ${JSON.stringify(INDEX)};
    const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n');
    const troupe = await openTroupe({ ...${JSON.stringify(options)}, roles: { writer: {} } });
    ${program}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<JsonObject | null> => {
    const line = await lines.next();
    const value: unknown = line.done === true ? null : JSON.parse(line.value);
    return isJsonObject(value) ? value : null;
  };
  return { child, next };
}

test('[R3] two processes follow one run, and the one that does not drive it answers', async () => {
  const project = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const troupe = await project.open({ roles: { writer: {} } });
  const run = await troupe.start(approval);
  const other = otherProcess(
    project,
    `const run = await troupe.run(${JSON.stringify(run.id)});
     const kinds = [];
     for await (const event of run.events()) kinds.push(event.kind);
     await run.answer('yes', { by: 'bob' });
     const { outcome, output } = await run.result();
     say({ kinds, outcome, output });
     await troupe.close();`,
  );
  const seen = await other.next();
  expect(seen).toMatchObject({ outcome: 'ok', output: 'yes' });
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'yes' });
  const kinds = [];
  for await (const event of run.events()) kinds.push(event.kind);
  const theirs = (seen?.['kinds'] ?? []) as readonly string[];
  expect(kinds.slice(0, theirs.length)).toEqual(theirs);
  expect(project.model.requests).toHaveLength(1);
});

test('[R3] of two answers at the same moment the first counts, and the other is refused', async () => {
  const project = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const troupe = await project.open({ roles: { writer: {} } });
  const run = await troupe.start(approval);
  await run.rest();
  const other = await (await project.open()).run(run.id);
  const answers = await Promise.all([codeOf(run.answer('one')), codeOf(other.answer('two'))]);
  expect(answers.toSorted()).toEqual(['QUESTION_CLOSED', 'done']);
  expect(await run.result()).toMatchObject({ output: answers[0] === 'done' ? 'one' : 'two' });
});

test('[R3] a run whose process was killed goes on in another, and no answered call is repeated', async () => {
  const project = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const other = otherProcess(
    project,
    `const run = await troupe.start(${FLOW});
     await run.rest();
     say({ run: run.id });`,
  );
  const started = await other.next();
  other.child.kill('SIGKILL');
  await once(other.child, 'exit');
  const troupe = await project.open();
  const run = await troupe.run(started?.['run'] as string, approval);
  expect((await run.rest()).questions.map(({ text }) => text)).toEqual(['Publish it?']);
  await run.answer('no');
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'no' });
  expect(project.model.requests).toHaveLength(1);
});

test('[R3] waiting for a run that no process drives ends with what to do about it', async () => {
  const project = await libraryProject({ rules: [{ reply: { say: 'Slow.', delay_ms: 60_000 } }] });
  const other = otherProcess(
    project,
    `const run = await troupe.start(${FLOW});
     say({ run: run.id });`,
  );
  const started = await other.next();
  other.child.kill('SIGKILL');
  await once(other.child, 'exit');
  const troupe = await project.open();
  const run = await troupe.run(started?.['run'] as string);
  await expect(run.result()).rejects.toMatchObject({ code: 'RUN_NOT_DRIVEN', hint: expect.stringContaining('resume') });
});

test('[R3] a result whose delivery was cut off is not given as delivered', async () => {
  const steps = [{ tools: [{ name: 'write_file', arguments: { path: 'poem.txt', content: 'Roses.\n' } }] }, 'Written.'];
  const project = await libraryProject({ rules: [{ steps }] });
  const other = otherProcess(
    project,
    `const run = await troupe.start(defineWorkflow({
       name: 'writing',
       agents: { writer: {} },
       states: {
         start: { work: { kind: 'turn', agent: 'writer', input: () => 'Write.' }, transitions: ['done'] },
         done: { kind: 'end' },
       },
     }), { deliver: { to: 'apply', verify: 'sleep 60' } });
     for await (const { kind } of run.events()) if (kind === 'delivery.started') say({ run: run.id });`,
  );
  const started = await other.next();
  other.child.kill('SIGKILL');
  await once(other.child, 'exit');
  const run = await (await project.open()).run(started?.['run'] as string);
  const message = expect.stringContaining('its result is not delivered');
  await expect(run.result()).rejects.toMatchObject({ code: 'RUN_NOT_DRIVEN', message });
});
