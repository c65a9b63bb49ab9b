import { expect, test } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { scriptedProject } from './projects.ts';

const TASK = 'Give every part of the shop a version line, and keep the tests as they are.';
const FILES = 200;
const WINDOW = 60_000;

const pathOf = (index: number): string => `src/part-${index + 1}.js`;

/** Ten kilobytes each. */
const contentOf = (index: number): string =>
  Array.from({ length: 200 }, (_, line) => `export const value_${index}_${line} = 'some words of the shop';`).join(
    '\n',
  );

const reads = (agent: string, visit: number, count: number) =>
  Array.from({ length: count / 8 }, (_, call) => ({
    when: { agent, visit, call: call + 1 },
    reply: {
      tools: Array.from({ length: 8 }, (_each, index) => ({
        name: 'read_file',
        arguments: { path: pathOf((call * 8 + index) % FILES) },
      })),
    },
  }));

const writes = (visit: number, call: number) => ({
  when: { agent: 'coder', visit, call },
  reply: { tools: [{ name: 'write_file', arguments: { path: `src/version-${visit}.js`, content: '// v1\n' } }] },
});

const reviews = (visit: number, given: JsonObject) => ({
  when: { agent: 'reviewer', visit },
  reply: { tools: [{ name: 'review_work', arguments: given }] },
});

test('[A1] [A6] [A7] coder_reviewer in a project of 200 files keeps its task from the first call to the last', async () => {
  const parsed = parseScenario({
    window: WINDOW,
    rules: [
      ...reads('coder', 1, FILES),
      writes(1, FILES / 8 + 1),
      ...reads('coder', 2, 40),
      writes(2, 6),
      { when: { agent: 'coder' }, reply: 'The version lines are written.' },
      ...reads('reviewer', 1, 80),
      reviews(1, { improvement_needed: true, continue_message: 'Part 7 has no version line yet.' }),
      reviews(2, { improvement_needed: false, work_summary: 'Every part has its version line.' }),
    ],
  });
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  const sandbox = scriptedProject({
    '.troupe/config.yaml': `models:\n  base: { provider: anthropic, model: claude-opus-5-5, base_url: "${server.url}", window: ${WINDOW} }\n`,
    ...Object.fromEntries(Array.from({ length: FILES }, (_, index) => [pathOf(index), contentOf(index)])),
  });
  const result = await sandbox.troupe(['run', 'coder_reviewer', TASK]);
  expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Every part has its version line.') });
  const asked = server.requests.filter(({ path }) => path === '/messages').map(({ body }) => JSON.stringify(body));
  expect(asked.length).toBeGreaterThanOrEqual(46);
  expect(asked.filter((body) => !body.includes(TASK))).toEqual([]);
  expect(asked.filter((body) => /"(?:Begin\.|\(in your order below\))"/.test(body))).toEqual([]);
  const reviewed = asked.filter((body) => body.includes('Review the work of the coder'));
  expect(reviewed.filter((body) => !body.includes('version-1.js +1 -0'))).toEqual([]);
  expect((await sandbox.troupe(['logs', 'last'])).stdout).toMatch(/compacted: \d+ messages/);
  await server.close();
});

test('[A3] [A7] in a project without git no git tool is offered, and the reviewer still gets the changes', async () => {
  const parsed = parseScenario([
    writes(1, 1),
    { when: { agent: 'coder' }, reply: 'Done.' },
    reviews(1, { improvement_needed: false, work_summary: 'It is there.' }),
  ]);
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  const server = await startScriptedServer({ scenario: parsed.scenario });
  const sandbox = scriptedProject({
    '.troupe/config.yaml': `models:\n  base: { provider: anthropic, model: claude-opus-5-5, base_url: "${server.url}" }\n`,
  });
  expect(await sandbox.troupe(['run', 'coder_reviewer', TASK])).toMatchObject({ code: 0 });
  const asked = server.requests.filter(({ path }) => path === '/messages').map(({ body }) => JSON.stringify(body));
  expect(asked).toHaveLength(3);
  expect(asked.filter((body) => body.includes('git_'))).toEqual([]);
  expect(asked.at(-1)).toContain('+// v1');
  await server.close();
});
