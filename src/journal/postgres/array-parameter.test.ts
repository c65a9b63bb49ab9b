import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bigintArray, doubleArray, integerArray, textArray } from './array-parameter.ts';
import { hasServer, startCluster, type TestCluster } from './testing/test-cluster.ts';

describe.skipIf(!hasServer())('arrays as parameters', () => {
  let cluster: TestCluster;
  let client: pg.Client;
  beforeAll(async () => {
    cluster = await startCluster();
    client = new pg.Client({ connectionString: await cluster.database() });
    await client.connect();
  }, 60_000);
  afterAll(async () => {
    await client.end();
    cluster.dispose();
  });

  async function echo(type: string, value: Buffer): Promise<unknown> {
    const { rows } = await client.query<{ echo: unknown }>(`select to_jsonb($1::${type}[]) as echo`, [value]);
    return rows[0]?.echo;
  }

  test('[J4] the server gets every value as it is', async () => {
    const texts = [
      '',
      'plain',
      'a "quote", {braces}, \\ and\nlines',
      'Größe 🎭 e\u0301',
      null,
      'NULL',
      'x'.repeat(70_000),
    ];
    expect(await echo('text', textArray(texts))).toEqual(texts);
    expect(await echo('text', textArray([null]))).toEqual([null]);
    expect(await echo('integer', integerArray([1, -5, 2 ** 31 - 1]))).toEqual([1, -5, 2 ** 31 - 1]);
    expect(await echo('bigint', bigintArray([0, 2 ** 40, -(2 ** 40)]))).toEqual([0, 2 ** 40, -(2 ** 40)]);
    expect(await echo('double precision', doubleArray([1.5, null, 1.7e12 + 0.25]))).toEqual([1.5, null, 1.7e12 + 0.25]);
  });

  test('[J4] an empty array stays empty', async () => {
    expect(await echo('text', textArray([]))).toEqual([]);
    expect(await echo('integer', integerArray([]))).toEqual([]);
  });
});
