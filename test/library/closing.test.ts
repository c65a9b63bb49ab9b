import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineWorkflow } from '../../src/index.ts';
import { codeOf, libraryProject } from './library.ts';

const roles = { writer: { systemMessage: 'You write.' } };

/** Writes a file and ends. */
const writing = defineWorkflow({
  name: 'writing',
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'writer', input: "'Write.'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});

const writes = {
  steps: [{ tools: [{ name: 'write_file', arguments: { path: 'poem.txt', content: 'Roses.\n' } }] }, 'Written.'],
};

test('[R3] close stops the check of a delivery, and the result waits where it was', async () => {
  const { open, folder } = await libraryProject({ rules: [writes] });
  const troupe = await open({ roles });
  const run = await troupe.start(writing);
  await run.result();
  const before = (await run.show()).result;
  const delivered = codeOf(run.deliver({ to: { kind: 'apply' }, verify: 'sleep 60' }));
  await expect.poll(async () => (await run.show()).delivery?.status).toBe('started');
  await troupe.close();
  expect(await delivered).toBe('TROUPE_CLOSED');
  const again = await (await open({ roles })).run(run.id);
  expect((await again.show()).result).toEqual(before);
  expect(existsSync(join(folder, 'poem.txt'))).toBe(false);
  await again.deliver({ to: { kind: 'apply' } });
  expect((await again.show()).result).toMatchObject({ kind: 'applied' });
});

test('[R3] close lets acts and views that are under way finish', async () => {
  const { open } = await libraryProject({ rules: [writes] });
  const troupe = await open({ roles });
  const run = await troupe.start(writing);
  await run.result();
  const acts = [run.discard(), run.show(), troupe.list(), troupe.metrics(), troupe.prune()].map(codeOf);
  await troupe.close();
  expect(await Promise.all(acts)).toEqual(['done', 'done', 'done', 'done', 'done']);
  expect((await (await (await open()).run(run.id)).show()).result).toMatchObject({ state: 'discarded' });
});
