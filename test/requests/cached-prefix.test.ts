import { expect, test } from 'vitest';
import { SILENCE } from '../../src/actors/scripted/rule.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import { buildDefinition } from '../../src/formats/definition.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { build, end, expression, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { prefixReuse } from './prefix-reuse.ts';
import { recordRun } from './record-run.ts';
import type { Script } from './scripted-wire.ts';
import { teamScript } from './team-script.ts';

const CALLS = 40;
const PROVIDERS = ['anthropic', 'openai', 'openai-compatible'] as const;

/** Thinks and reads a file in every call, hands in both outputs in the middle, and stops at the fortieth call. */
const script: Script = ({ call = 1 }) => {
  if (call >= CALLS) return { ...SILENCE, text: 'Done.' };
  const hand = (name: string) => ({ name: 'submit_output', arguments: { name, content: `# ${name}\n` }, raw: null });
  const read = { name: 'read_file', arguments: { path: 'long.txt' }, raw: null };
  const tools = call === 10 ? [hand('plan')] : call === 20 ? [hand('notes'), read] : [read];
  return { ...SILENCE, think: `Step ${call}.`, text: call % 3 === 0 ? 'Reading.' : '', tools };
};

const outputs = ['plan', 'notes'].map((name) => ({ name, form: 'file', path: `${name}.md`, type: 'plan' }));

test.each(PROVIDERS)(
  '[A3] [A5] in a turn of 40 calls each request to %s begins with the one before',
  async (provider) => {
    const order = {
      ...turn('coder', "'Read long.txt again and again.'"),
      outputs: expression(JSON.stringify(outputs)),
    };
    const { sent, rest } = await recordRun({
      definition: build({
        roles: { coder: { systemMessage: 'You read.' } },
        states: [work('code', order, [to('stop')]), end('stop')],
      }),
      input: {},
      script,
      files: { 'long.txt': 'A line of some length to read.\n'.repeat(200) },
      model: { provider, model: provider === 'openai' ? 'gpt-5.1' : 'stub-1', window: 1_000_000 },
    });
    expect(rest).toMatchObject({ outcome: 'ok', failure: null });
    expect(sent).toHaveLength(CALLS);
    expect(JSON.stringify(sent[0]?.body['tools'])).toContain('submit_output');
    const bodies = sent.map(({ body }) => withoutMarks(body) as JsonObject);
    for (const [index, body] of bodies.entries()) {
      const before = bodies[index - 1];
      if (before === undefined) continue;
      const { messages, input, ...settings } = body;
      const { messages: oldMessages, input: oldInput, ...oldSettings } = before;
      // Tools, system and settings are the same bytes; the conversation has the earlier one as its beginning.
      expect(JSON.stringify(settings)).toBe(JSON.stringify(oldSettings));
      const prefix = JSON.stringify(oldMessages ?? oldInput).slice(0, -1);
      expect(JSON.stringify(messages ?? input).startsWith(prefix)).toBe(true);
    }
    if (provider === 'openai-compatible') return;
    const { read, sent: tokens } = prefixReuse(sent, provider);
    expect(read / tokens).toBeGreaterThan(0.9);
  },
);

/** Marks say where a prefix ends and are no part of it. */
function withoutMarks(value: Json): Json {
  return JSON.parse(
    JSON.stringify(value, (key, inner: Json) =>
      key === 'cache_control' || key === 'prompt_cache_breakpoint' ? undefined : inner,
    ),
  ) as Json;
}

test('[A5] reviewers of one diff get the same tools, shared text, diff and order; only the last line differs', async () => {
  const { workflows, roles } = await loadShipped();
  const { sent } = await recordRun({
    definition: valueOrFault(buildDefinition('parallel_review', workflows, mergeRoles(roles)), 'INTERNAL'),
    input: { task: 'Write one module for each part of the parser.', verify: 'true' },
    script: teamScript({ files: ['readme.txt'], reads: 1, writes: 200 }),
  });
  const first = sent.filter(({ who }) => who.state === 'review' && who.call === 1);
  const shared = first.map(({ body: { tools, system, messages } }) => {
    const [order] = messages as readonly JsonObject[];
    const parts = order?.['content'] as readonly JsonObject[];
    expect(parts.at(-1)?.['text']).toMatch(/^\[troupe\] Your name in this team is rev_\d\. Begin\.$/);
    return JSON.stringify([tools, system, parts.slice(0, -1)]);
  });
  expect(shared.length).toBeGreaterThan(1);
  expect(new Set(shared).size).toBe(1);
});
