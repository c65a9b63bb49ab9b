import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { calls, findings, review, StageBench } from './stage-bench.ts';

const RESULT = {
  when: { agent: 'orchestrator' },
  reply: calls('submit_result', { summary: 'so it is', body: 'All.' }),
};

describe('[ST1] research', () => {
  test('findings are sent back once, then approved: every stage is in the journal, every message on the bus', async () => {
    const bench = new StageBench({
      rules: [
        { when: { state: 'verification' }, reply: review('NEEDS_REVISION') },
        { when: { agent: 'reviewer' }, reply: review('APPROVED') },
        { when: { agent: 'researcher' }, reply: findings('it is so') },
        RESULT,
      ],
    });
    const played = await bench.start('research');
    expect(played).toMatchObject({
      outcome: 'ok',
      output: { success: true, summary: 'so it is', findings: [{ claim: 'it is so' }, { claim: 'it is so' }] },
    });
    expect(played.states).toEqual([
      'initial_research',
      'verification',
      'deep_dive',
      're_verification',
      'synthesis',
      'done',
    ]);
    expect(played.bus.map(({ type, sender, receiver }) => `${type} ${sender} → ${receiver}`)).toEqual([
      'task orchestrator → researcher',
      'finding researcher → reviewer',
      'review reviewer → researcher',
      'finding researcher → reviewer',
      'review reviewer → orchestrator',
      'result orchestrator → orchestrator',
    ]);
    expect(played.bus.map(({ correlationId }) => correlationId.split('/')[1])).toEqual([
      'initial_research#1',
      'initial_research#1',
      'verification#1',
      'deep_dive#1',
      're_verification#1',
      'synthesis#1',
    ]);
    expect(played.bus[0]?.payload).toMatchObject({ subject: 'Research Assignment', body: 'the goal' });
    expect(played.bus[1]?.payload).toMatchObject({ metadata: { claim: 'it is so', confidence: 'high' } });
  });

  test('after two deep dives it ends partial, with what there is', async () => {
    const bench = new StageBench({
      rules: [
        { when: { agent: 'reviewer' }, reply: review('NEEDS_REVISION') },
        { when: { agent: 'researcher' }, reply: findings('perhaps') },
        RESULT,
      ],
    });
    const played = await bench.start('research');
    expect(played).toMatchObject({
      outcome: 'partial',
      failure: { code: 'MAX_ITERATIONS' },
      output: { partial: true, summary: 'so it is' },
    });
    expect(played.states.filter((state) => state === 'deep_dive')).toHaveLength(2);
    expect(bench.notices.some((line) => line.includes('MAX_ITERATIONS'))).toBe(true);
  });

  test('[ST6] a rejection ends the stage as failed, and the run goes on without it', async () => {
    const bench = new StageBench({
      rules: [
        { when: { agent: 'reviewer' }, reply: review('REJECTED') },
        { when: { agent: 'researcher' }, reply: findings('perhaps') },
        RESULT,
      ],
    });
    expect(await bench.start('research')).toMatchObject({ outcome: 'partial', failure: { code: 'REJECTED' } });
  });
});

const artifact = (kind: string, path: string): object => ({
  steps: [
    calls('write_file', { path, content: `${kind}\n` }),
    calls('submit_artifact', { kind, files: [path], summary: `the ${kind}` }),
  ],
});

describe('[ST1] development', () => {
  test('a rejected design and two rejected code reviews end in documented code, and every stage is in the journal', async () => {
    const bench = new StageBench({
      rules: [
        { when: { agent: 'architect' }, reply: calls('submit_design', { title: 'Greeter', body: 'One function.' }) },
        { when: { state: 'design_review', visit: 1 }, reply: review('NEEDS_REVISION') },
        { when: { state: 'design_review' }, reply: review('APPROVED') },
        { when: { state: 'code_review', visit: [1, 2] }, reply: review('NEEDS_REVISION') },
        { when: { state: 'code_review' }, reply: review('APPROVED') },
        { when: { state: 'documentation' }, ...artifact('documentation', 'docs/greet.md') },
        { when: { agent: 'developer' }, ...artifact('code', 'src/greet.js') },
      ],
    });
    const played = await bench.start('development');
    expect(played.failure).toBe(null);
    expect(played).toMatchObject({
      outcome: 'ok',
      output: { success: true, artifacts: ['src/greet.js', 'docs/greet.md'] },
    });
    expect(played.states).toEqual([
      'architecture',
      'design_review',
      'design_revision',
      'design_review',
      'implementation',
      'code_review',
      'code_revision',
      'code_review',
      'code_revision',
      'code_review',
      'documentation',
      'done',
    ]);
    expect(existsSync(join(bench.folder, 'docs/greet.md'))).toBe(true);
    const recorded = played.facts.flatMap((fact) => (fact.kind === 'artifact.recorded' ? [fact.artifact] : []));
    expect(recorded.map(({ phase, path, producer }) => `${phase} ${path} by ${producer}`)).toEqual([
      'implementation src/greet.js by developer',
      'code_revision src/greet.js by developer',
      'code_revision src/greet.js by developer',
      'documentation docs/greet.md by developer',
    ]);
  });

  test('[L4] files that an agent names and that are not there are no output: it is reported, then the stage has failed', async () => {
    const bench = new StageBench({
      rules: [
        { when: { agent: 'architect' }, reply: calls('submit_design', { title: 'Greeter', body: 'One function.' }) },
        { when: { agent: 'reviewer' }, reply: review('APPROVED') },
        {
          when: { agent: 'developer' },
          reply: calls('submit_artifact', { kind: 'code', files: ['src/dream.js'], summary: 'done' }),
        },
      ],
    });
    const played = await bench.start('development');
    expect(played).toMatchObject({ outcome: 'partial', failure: { code: 'INVALID_OUTPUT' } });
    expect(played.failure?.message).toContain('src/dream.js');
    expect(played.states.filter((state) => state === 'implementation')).toHaveLength(2);
    const asked = played.facts.flatMap((fact) =>
      fact.kind === 'task.started' && fact.work.kind === 'turn' && fact.work.agent === 'developer'
        ? [fact.work.input]
        : [],
    );
    expect(asked[1]).toContain('src/dream.js');
  });
});

describe('[ST6] architecture', () => {
  test('the requirements stage may ask the person; the answer goes back to the stage that asked', async () => {
    const bench = new StageBench({
      rules: [
        {
          when: { state: 'requirements', visit: 1 },
          reply: calls('ask_question', { question: 'How many users?', choices: ['ten', 'a million'] }),
        },
        {
          when: { state: 'requirements', contains: 'a million' },
          reply: calls('submit_task', { subject: 'Scale', body: 'A million users.' }),
        },
        { when: { agent: 'researcher' }, reply: findings('others shard') },
        { when: { agent: 'reviewer' }, reply: review('APPROVED') },
        { when: { agent: 'architect' }, reply: calls('submit_design', { title: 'Shards', body: 'Many of them.' }) },
        { when: { state: 'decision' }, reply: calls('submit_task', { subject: 'Shards', body: 'We shard.' }) },
      ],
    });
    const waiting = await bench.start('architect');
    expect(waiting).toMatchObject({ status: 'waiting', questions: [{}] });
    expect(waiting.questions[0]?.text).toBe(
      'In the stage requirements, orchestrator asks: How many users? (ten, a million)',
    );
    const played = await bench.answer(waiting.run, 'a million');
    expect(played).toMatchObject({ outcome: 'ok', output: { success: true } });
    expect(played.states).toEqual([
      'requirements',
      'asking',
      'requirements',
      'prior_art',
      'design_options',
      'evaluation',
      'decision',
      'implementation_plan',
      'done',
    ]);
  });
});

describe('[ST3] what agents do wrong', () => {
  test('an agent that answers without its structured reply is asked for it once; then the output is invalid', async () => {
    const bench = new StageBench({ rules: [{ when: { agent: 'researcher' }, reply: 'I think it is so.' }] });
    const played = await bench.start('research');
    expect(played).toMatchObject({ outcome: 'failed', failure: { code: 'INVALID_OUTPUT' } });
    expect(played.states).toEqual(['initial_research', 'initial_research', 'failed']);
    expect(played.bus.at(-1)).toMatchObject({ type: 'error', payload: { error_type: 'INVALID_OUTPUT' } });
  });

  test('a verdict outside the list is sent back by the engine and does not count', async () => {
    const bench = new StageBench({
      rules: [
        { when: { agent: 'researcher' }, reply: findings('so') },
        { when: { agent: 'reviewer' }, reply: review('GREAT') },
        RESULT,
      ],
    });
    const played = await bench.start('research');
    expect(played).toMatchObject({ outcome: 'partial', failure: { code: 'INVALID_OUTPUT' } });
  });

  test('an agent that is blocked asks the person', async () => {
    const bench = new StageBench({
      rules: [
        {
          when: { agent: 'researcher', visit: 1 },
          reply: calls('report_status', { status: 'blocked', summary: 'I have no network.' }),
        },
        { when: { agent: 'researcher' }, reply: findings('so') },
        { when: { agent: 'reviewer' }, reply: review('APPROVED') },
        RESULT,
      ],
    });
    const waiting = await bench.start('research');
    expect(waiting.questions[0]?.text).toContain('I have no network.');
    expect(await bench.answer(waiting.run, 'Now you have.')).toMatchObject({ outcome: 'ok' });
  });
});
