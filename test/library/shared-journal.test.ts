import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isFault } from '../../src/core/model/fault.ts';
import { defineTool, defineWorkflow, type TroupeOptions } from '../../src/index.ts';
import { hasServer, startCluster, type TestCluster } from '../../src/journal/postgres/testing/test-cluster.ts';
import { libraryProject } from './library.ts';

const count = defineTool({
  name: 'count',
  description: 'Counts.',
  parameters: { type: 'object' },
  access: 'talk',
  repeat: 'safe',
  run: () => '1',
});

const writing = defineWorkflow({
  name: 'writing',
  agents: { writer: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'writer', input: "'Write.'" }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});

const actor: NonNullable<TroupeOptions['actor']> = () => undefined;

describe.skipIf(!hasServer())('a program on a journal that machines share', { timeout: 60_000 }, () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.dispose());

  test.each<[string, TroupeOptions]>([
    ['models', {}],
    ['tools', { models: {}, tools: [count] }],
    ['actors', { models: {}, actor }],
  ])('[R3] [U8] is refused a run that would need its own %s, and no run is left behind', async (parts, more) => {
    const { open } = await libraryProject();
    const troupe = await open({
      journal: await cluster.database(),
      roles: { writer: { systemMessage: 'You write.' } },
      ...more,
    });
    const refused: unknown = await troupe.start(writing).catch((error: unknown) => error);
    if (!isFault(refused)) throw new Error(`not refused: ${String(refused)}`);
    expect(refused.code).toBe('PARTS_NOT_SHARED');
    expect(refused.message).toContain(parts);
    expect(refused.hint).toContain('Configure models and clients where the workers are, put tools into .troupe/tools');
    expect(await troupe.list()).toMatchObject({ items: [] });
  });
});
