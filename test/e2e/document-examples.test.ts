import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { loadWorkflowFile } from '../../src/formats/load-workflows.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import type { RunEnd } from '../../src/index.ts';
import { libraryProject } from '../library/library.ts';

const FIXTURES = join(import.meta.dirname, '../../src/formats/state-machine/fixtures');
async function run(
  name: string,
  input: string,
  rules: readonly Json[],
): Promise<{ end: RunEnd; model: ScriptedServer }> {
  const { open, model, options } = await libraryProject({ rules });
  const base = options.models?.['base'];
  if (base === undefined) throw new Error('no model');
  // The document's own, before the shipped one of that name.
  const workflows = valueOrFault(await loadWorkflowFile(join(FIXTURES, 'coder_reviewer.json')), 'INTERNAL');
  const troupe = await open({ workflows, models: { base: { ...base, price: { input: 1, output: 2 } } } });
  const started = await troupe.start(join(FIXTURES, `${name}.json`), { input });
  return { end: await started.result(), model };
}

interface WireMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
}

/** What the model was sent when the agent spoke for the n-th time. */
function sentTo(server: ScriptedServer, agent: string, time: number): readonly WireMessage[] {
  const own = server.requests.filter((request) => request.headers['x-troupe-agent'] === agent);
  const body = own[time - 1]?.body as JsonObject;
  return body['messages'] as unknown as readonly WireMessage[];
}

const loop: readonly Json[] = [
  { when: { agent: 'coder', visit: 1 }, reply: 'First draft of the query.' },
  {
    when: { agent: 'reviewer', visit: 1 },
    reply: {
      say: 'Not yet.',
      tools: [{ name: 'review_work', arguments: { improvement_needed: true, continue_message: 'Add an index.' } }],
    },
  },
  { when: { agent: 'coder', visit: 2 }, reply: 'Index added.' },
  {
    when: { agent: 'reviewer', visit: 2 },
    reply: {
      tools: [
        { name: 'review_work', arguments: { improvement_needed: false, work_summary: 'The query has an index.' } },
      ],
    },
  },
];

describe('the examples of the founding document, unchanged, against an OpenAI-compatible server', () => {
  test('[SM1] [SM4] coder_reviewer goes round once and ends with the reviewer’s summary', async () => {
    const { end } = await run('coder_reviewer', 'Optimize database query performance', loop);
    expect(end).toMatchObject({ outcome: 'ok', output: 'The query has an index.' });
    expect(end.usage.calls).toBe(4);
    expect(end.costUsd).toBeGreaterThan(0);
  });

  test('[SM3] each agent sees the shared context from its own side', async () => {
    const { model: server } = await run('coder_reviewer', 'Optimize database query performance', loop);
    const coder = sentTo(server, 'coder', 2);
    const own = coder.filter((message) => message.role === 'assistant');
    expect(own.map((message) => message.content)).toEqual(['First draft of the query.']);
    const heard = coder
      .filter((message) => message.role === 'user')
      .map((message) => message.content)
      .join('\n');
    expect(heard).toContain('Perform following task: Optimize database query performance');
    expect(heard).toContain('[reviewer] Not yet.');
    expect(heard).toContain('[reviewer] called review_work with {"improvement_needed":true,');
    expect(heard.split('Add an index.')).toHaveLength(2);
    expect(coder.at(-1)?.content).toMatch(/Add an index\.$/);

    const reviewer = sentTo(server, 'reviewer', 2);
    const said = reviewer.filter((message) => message.role === 'assistant');
    expect(said).toHaveLength(1);
    expect(said[0]?.tool_calls?.[0]?.function.name).toBe('review_work');
    expect(reviewer.filter((message) => message.role === 'tool')).toHaveLength(1);
    const coderWords = reviewer
      .filter((message) => message.role === 'user')
      .map((message) => message.content)
      .join('\n');
    expect(coderWords).toContain('[coder] First draft of the query.');
    expect(coderWords).toContain('[coder] Index added.');
  });

  test('[SM1] [SM4] hierarchical_development runs its sub-workflow and ends with the final approval', async () => {
    const { end, model: server } = await run('hierarchical_development', 'Design microservices', [
      { when: { agent: 'product_manager', state: 'business_analysis' }, reply: 'ANALYSIS' },
      { when: { agent: 'architect', state: 'technical_specification' }, reply: 'SPECIFICATION' },
      ...loop,
      { when: { agent: 'architect', state: 'architecture_review' }, reply: 'ARCHITECTURE FINE' },
      { when: { agent: 'product_manager', state: 'final_approval' }, reply: 'APPROVED' },
    ]);
    expect(end).toMatchObject({ outcome: 'ok', output: 'APPROVED', usage: { calls: 8 } });
    const task = sentTo(server, 'coder', 1).at(-1)?.content;
    expect(task).toBe('Perform following task: SPECIFICATION\n\n[troupe] Your name in this team is coder. Begin.');
    const asked = sentTo(server, 'product_manager', 2);
    expect(asked.at(-1)?.content).toContain(
      'Implementation: The query has an index., Architect Review: ARCHITECTURE FINE',
    );
    expect(asked.filter((message) => message.role === 'assistant').map((message) => message.content)).toEqual([
      'ANALYSIS',
    ]);
  });
});
