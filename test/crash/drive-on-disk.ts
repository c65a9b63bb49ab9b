import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { runId } from '../../src/core/model/ids.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { RunRest } from '../../src/host/port.ts';
import { coderReviewer, coderReviewerAnswer, noteTool } from '../../src/host/testing/coder-reviewer.ts';
import { testWorld } from '../../src/host/testing/test-world.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';

export const RUN = runId('killed');

/** The run of a coder and a reviewer, started or resumed on the disk; every call is written into the file `calls`. */
export async function driveOnDisk(
  home: string,
  how: { readonly isResumed: boolean; readonly wrap: (journal: Journal) => Journal },
): Promise<Pick<RunRest, 'outcome' | 'output'>> {
  const journal = await openSqliteJournal({ home });
  const world = testWorld({
    journal: how.wrap(journal),
    tools: [noteTool([])],
    answer(request) {
      appendFileSync(join(home, 'calls'), `${request.idempotencyKey}\n`);
      return coderReviewerAnswer(request);
    },
  });
  const host = createEmbeddedHost(world);
  try {
    if (how.isResumed) await host.resume(RUN);
    else await host.start({ definition: coderReviewer(), input: {}, run: RUN, project: '.' });
    const { outcome, output } = await host.rest(RUN);
    return { outcome, output };
  } finally {
    await host.shutdown();
    await journal.close();
  }
}
