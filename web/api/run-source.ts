import type { Definition } from '../../src/core/model/definition.ts';
import type { RecordPage } from '../../src/protocol/web/record-page.ts';
import type { RunSource } from '../model/run-store.ts';
import { api, isUnreachable, runPath } from './client.ts';
import { hub } from './hub.ts';

const PAGE = 10_000;
const PATIENCE_MS = 1500;

/** Runs as the server has them. A server that does not answer is asked again for as long as the page is open. */
export const runSource: RunSource = {
  tree: async (root) => (await patiently(() => api.get<RunsBelow>(runPath(root, '/tree')))).runs,
  page: (run, after) => patiently(() => api.get<RecordPage>(runPath(run, '/records'), { after, limit: PAGE })),
  definition: (run) => patiently(() => api.get<Definition>(runPath(run, '/definition'))),
  follow: (root, cursor, heard) => hub().follow({ root, cursor, heard }),
};

interface RunsBelow {
  readonly runs: readonly { readonly run: string; readonly parent: string | null }[];
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    }
  }
}
