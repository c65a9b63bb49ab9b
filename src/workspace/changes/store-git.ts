import { gitOnStore } from '../store/git-on-store.ts';
import type { TreeStore } from '../store/port.ts';
import { gitFailed, gitMissing } from './git-plumbing.ts';

/** What git says about trees of a store, whole or not at all. */
export async function storeGit(store: TreeStore, words: readonly string[]): Promise<Buffer> {
  const answer = await gitOnStore(store, words, { maxOutputBytes: MAX_OUTPUT_BYTES });
  if (answer === null) throw gitMissing();
  if (answer.exitCode === 0 && !answer.truncated) return answer.rawOutput;
  throw gitFailed(words, answer.truncated ? 'its answer is too large.' : answer.errorOutput);
}

const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
