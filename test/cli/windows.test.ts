import { expect, test } from 'vitest';
import { parseScenario } from '../../src/actors/scripted/scenario.ts';
import { startScriptedServer } from '../../src/actors/scripted/scripted-server.ts';
import { scriptedProject } from './projects.ts';

const TASK = 'Read all of big.txt and say what it is about.';
const LINES = Array.from({ length: 4000 }, (_, index) => `line ${index + 1}: some words that fill the window`).join(
  '\n',
);

/** Reads a further part of the file with each call, then is done. */
function reading(calls: number, window: number) {
  const reads = Array.from({ length: calls }, (_, index) => ({
    when: { agent: 'worker', call: index + 1 },
    reply: { tools: [{ name: 'read_file', arguments: { path: 'big.txt', offset: index * 150 + 1 } }] },
  }));
  const parsed = parseScenario({
    window,
    rules: [...reads, { when: { agent: 'worker' }, reply: 'It is about words.' }],
  });
  if (parsed.kind === 'refused') throw new Error(JSON.stringify(parsed.problems));
  return parsed.scenario;
}

async function runAgainst(server: { readonly url: string }, settings: string) {
  const sandbox = scriptedProject({
    '.troupe/config.yaml': `models:\n  base: { provider: anthropic, model: claude-opus-5-5, base_url: "${server.url}", ${settings} }\n`,
    'big.txt': LINES,
  });
  const result = await sandbox.troupe(['run', 'two_steps', TASK]);
  return { sandbox, result };
}

test('[A6] a task that does not fit into the window is finished, and logs and show say what was compacted', async () => {
  const window = 24_000;
  const server = await startScriptedServer({ scenario: reading(16, window) });
  const { sandbox, result } = await runAgainst(server, `window: ${window}`);
  expect(result).toMatchObject({ code: 0 });
  const asked = server.requests.filter(({ path }) => path === '/messages');
  expect(asked.length).toBeGreaterThan(17);
  expect(asked.every(({ body }) => JSON.stringify(body).includes(TASK))).toBe(true);
  const said = /compacted: \d+ messages, about [\d.]+k → [\d.]+k? tokens/;
  const logs = (await sandbox.troupe(['logs', 'last'])).stdout;
  expect(logs).toMatch(said);
  // A result names its tool, and stands behind its call.
  expect(logs).toMatch(/⚙ read_file [^\n]*\n\S+ worker: ✓ read_file: /);
  const shown = await sandbox.troupe(['show', 'last']);
  expect(shown.stdout).toMatch(/compacted worker: \d+ messages, about [\d.]+k → [\d.]+k? tokens/);
  expect(shown.stdout).not.toContain('CONTEXT_OVERFLOW');
  await server.close();
});

test('[A6] a window that was configured too large is learned from the refusal, and the hint about tools is gone', async () => {
  const server = await startScriptedServer({ scenario: reading(16, 24_000) });
  const { sandbox, result } = await runAgainst(server, 'window: 200000');
  expect(result).toMatchObject({ code: 0 });
  const { stdout } = await sandbox.troupe(['logs', 'last']);
  expect(stdout.match(/CONTEXT_OVERFLOW/g)).toHaveLength(1);
  expect(stdout).toContain('compacting: the endpoint refused a request of about ');
  expect(stdout).not.toContain('takes tools');
  await server.close();
});

test('[A6] a window that is too small for the order ends the run with both sizes and what to set', async () => {
  const server = await startScriptedServer({ scenario: reading(1, 2048) });
  const { result } = await runAgainst(server, 'window: 2048');
  expect(result.code).toBe(1);
  expect(result.stderr + result.stdout).toMatch(
    /WINDOW_TOO_SMALL[^]*need about [\d.]+k tokens[^]*window of 2k, of which a request may fill [\d.]+k\.[^]*`window`/,
  );
  expect(server.requests.filter(({ path }) => path === '/messages')).toEqual([]);
  await server.close();
});
