import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMemoryJournal, createScriptedActor, defineWorkflow, parseScenario } from '../../src/index.ts';
import { codeOf, libraryProject } from './library.ts';

const roles = { writer: { systemMessage: 'You write.' } };

/** A turn, a question to a person, and what was answered as the output. */
const approval = defineWorkflow({
  name: 'approval',
  inputs: { topic: 'string' },
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'writer', input: 'common_data.topic' }, transitions: ['ask'] },
    ask: {
      work: { kind: 'ask', question: "'Publish it?'" },
      transitions: [{ target: 'done', assign: 'this.common_data.answer = result' }],
    },
    done: { kind: 'end', output: 'common_data.answer' },
  },
});

/** Writes a file and ends. */
const writing = defineWorkflow({
  name: 'writing',
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'writer', input: "'Write.'" }, transitions: ['done'] },
    done: { kind: 'end', output: 'last_agent_response' },
  },
});

const writes = {
  steps: [{ tools: [{ name: 'write_file', arguments: { path: 'poem.txt', content: 'Roses.\n' } }] }, 'Written.'],
};

test('[R3] a run is started, followed, answered, and gives its result', async () => {
  const { open } = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const troupe = await open({ roles });
  const run = await troupe.start(approval, { input: { topic: 'Roses' } });
  const kinds: string[] = [];
  for await (const event of run.events()) kinds.push(event.kind);
  expect(kinds[0]).toBe('run.started');
  expect(kinds).toContain('call.answered');
  expect(kinds).not.toContain('run.settled');
  const { status, questions } = await run.rest();
  expect({ status, asked: questions.map(({ text }) => text) }).toEqual({ status: 'waiting', asked: ['Publish it?'] });
  await run.answer('yes', { by: 'bob' });
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'yes', usage: { calls: 1 } });
  const later = [];
  for await (const event of run.events({ from: 'last' })) later.push(event);
  expect(later[0]).toMatchObject({ kind: 'question.answered', by: 'bob', via: 'library', answer: 'yes' });
  expect(later.at(-1)?.kind).toBe('run.settled');
});

test('[R3] the files of a run are made in a workspace and come back as a branch that passed its check', async () => {
  const { open, folder } = await libraryProject({ rules: [writes] });
  const troupe = await open({ roles });
  const run = await troupe.start(writing, { deliver: { to: 'branch', verify: 'grep -q Roses poem.txt' } });
  const end = await run.result();
  expect(end).toMatchObject({ outcome: 'ok', output: 'Written.' });
  expect(existsSync(join(folder, 'poem.txt'))).toBe(false);
  const show = execFileSync('git', ['show', `troupe/${run.id}:poem.txt`], { cwd: folder, encoding: 'utf8' });
  expect(show).toBe('Roses.\n');
  expect((await run.show()).status).toBe('settled');
});

test('[R3] a workflow of the project is started by its name, and applied to its files', async () => {
  const workflow = JSON.stringify({
    workflow_name: 'poem',
    input: { name: 'topic', type: 'string' },
    contexts: [{ name: 'talk' }],
    agents: [{ agent_role: 'writer', context: 'talk', role: 'assistant' }],
    states: [{ name: 'start', agent: 'writer', input: 'common_data.topic', transition: [{ target: 'stop' }] }],
  });
  const { open, folder } = await libraryProject({
    rules: [writes],
    files: { '.troupe/workflows/poem.json': workflow },
  });
  const troupe = await open({ roles });
  const run = await troupe.start('poem', { input: 'Roses', deliver: { to: 'apply' }, limits: { tokens: 100_000 } });
  expect(await run.result()).toMatchObject({ outcome: 'ok' });
  expect(readFileSync(join(folder, 'poem.txt'), 'utf8')).toBe('Roses.\n');
});

test('[R3] a run that its process left is resumed from the journal, and answered calls are not asked again', async () => {
  const { open, model } = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const first = await open({ roles });
  const started = await first.start(approval, { input: { topic: 'Roses' } });
  await started.rest();
  await first.close();
  const second = await open();
  const run = await second.run(started.id, approval);
  expect((await run.rest()).status).toBe('waiting');
  await run.answer('no');
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'no' });
  expect(model.requests).toHaveLength(1);
});

test('[R3] aborting the signal of start cancels the run; of result it only ends the waiting', async () => {
  const { open } = await libraryProject({ rules: [{ reply: 'A draft.' }] });
  const troupe = await open({ roles });
  const work = new AbortController();
  const run = await troupe.start(approval, { input: { topic: 'Roses' }, signal: work.signal });
  await run.rest();
  const waiting = new AbortController();
  const result = run.result({ signal: waiting.signal });
  waiting.abort(new Error('enough'));
  await expect(result).rejects.toThrow('enough');
  expect((await run.rest()).status).toBe('waiting');
  work.abort();
  expect(await run.result()).toMatchObject({ outcome: 'cancelled' });
  const aborted = AbortSignal.abort(new Error('too late'));
  await expect(troupe.start(writing, { signal: aborted })).rejects.toThrow('too late');
});

test('[R3] a run is paused, resumed, sent a message, forked and cancelled, each with who did it', async () => {
  const { open } = await libraryProject({ rules: [{ reply: 'A draft.' }, { reply: 'Another.' }] });
  const troupe = await open({ roles });
  const run = await troupe.start(approval, { input: { topic: 'Roses' } });
  await run.rest();
  await run.pause({ by: 'bob', reason: 'lunch' });
  await run.resume({ by: 'eve' });
  await run.tell('writer', 'Shorter.', { by: 'bob' });
  const fork = await run.fork({ at: 'ask', by: 'eve' });
  expect((await fork.show()).forkedFrom?.run).toBe(run.id);
  await fork.rest();
  await fork.cancel({ by: 'bob', reason: 'not needed' });
  expect(await fork.result()).toMatchObject({ outcome: 'cancelled' });
  const acts = [];
  for await (const event of run.events()) if ('by' in event) acts.push(`${event.kind} ${event.by}`);
  expect(acts).toEqual(['run.paused bob', 'run.continued eve', 'message.added bob']);
});

test('[R3] own actors, tools and journals are used instead of the configured ones', async () => {
  const { open } = await libraryProject();
  const parsed = parseScenario({ rules: [{ reply: 'From here.' }] });
  if (parsed.kind !== 'parsed') throw new Error('no scenario');
  const journal = createMemoryJournal();
  const troupe = await open({ roles, journal, models: {}, actor: createScriptedActor(parsed.scenario) });
  const run = await troupe.start(writing);
  expect(await run.result()).toMatchObject({ outcome: 'ok', output: 'From here.' });
  expect(await journal.run(run.id)).toMatchObject({ status: 'settled' });
});

test('[R3] what cannot be done is refused with a code, before anything runs', async () => {
  const { open } = await libraryProject();
  const troupe = await open({ roles });
  expect(await codeOf(troupe.start('dne'))).toBe('WORKFLOW_UNKNOWN');
  expect(await codeOf(troupe.start(approval, { input: { topic: 'x', depth: 2 } }))).toBe('INPUT_INVALID');
  // @ts-expect-error -- there is no such option
  expect(await codeOf(troupe.start(writing, { verify: 'npm test' }))).toBe('REQUEST_INVALID');
  expect(await codeOf(troupe.run('dne'))).toBe('RUN_UNKNOWN');
  expect(await codeOf(open({ project: 'no/such/folder' }))).toBe('PROJECT_MISSING');
  const unknown = defineWorkflow({
    name: 'unknown',
    agents: { stranger: {} },
    states: {
      start: { work: { kind: 'turn', agent: 'stranger', input: "'x'" }, transitions: ['end'] },
      end: { kind: 'end' },
    },
  });
  expect(await codeOf(troupe.start(unknown))).toBe('WORKFLOW_INVALID');
});

test('[R3] an answer is refused where the run asks nothing, and everything is once Troupe is closed', async () => {
  const { open } = await libraryProject({ rules: [{ reply: 'Done.' }] });
  const troupe = await open({ roles });
  const run = await troupe.start(writing);
  await run.result();
  expect(await codeOf(run.answer('yes'))).toBe('QUESTION_CLOSED');
  expect(await codeOf(run.cancel())).toBe('RUN_SETTLED');
  expect(await codeOf(run.resume())).toBe('RUN_SETTLED');
  const waiting = codeOf((await troupe.start(approval, { input: { topic: 'Roses' } })).result());
  await troupe.close();
  await troupe.close();
  expect(await waiting).toBe('TROUPE_CLOSED');
  for (const use of [() => run.result(), () => run.answer('yes'), () => run.show(), () => troupe.start(writing)])
    expect(await codeOf(use)).toBe('TROUPE_CLOSED');
});

test('[S1] the key of a model that a program passes is in no record', async () => {
  const { open, options } = await libraryProject({ rules: [{ reply: 'The key is sk-roses-are-red-42.' }] });
  const base = options.models?.['base'];
  if (base === undefined) throw new Error('no model');
  const troupe = await open({ roles, models: { base: { ...base, apiKey: 'sk-roses-are-red-42' } } });
  const run = await troupe.start(writing);
  const { output } = await run.result();
  expect(output).not.toContain('sk-roses');
});

test('[R3] a run of another project is refused by name', async () => {
  const one = await libraryProject({ rules: [{ reply: 'Done.' }] });
  const other = await libraryProject();
  const troupe = await one.open({ roles });
  const run = await troupe.start(writing);
  await run.result();
  expect(await codeOf(troupe.run(run.id, approval))).toBe('WORKFLOW_DIFFERS');
  const elsewhere = await other.open({ home: one.home });
  expect(await codeOf(elsewhere.run(run.id))).toBe('RUN_ELSEWHERE');
});
