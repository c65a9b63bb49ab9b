import { Mastra } from '@mastra/core';
import { LibSQLStore } from '@mastra/libsql';
import { peakMemoryMb, report, settings, writtenBytes } from '../../harness/report.ts';
import { folderBytes } from '../../harness/folder-bytes.ts';
import { timed } from '../../harness/timed.ts';
import { expectTurns, loopModel } from '../../workload.ts';
import { loopWorkflow, runLoop } from './mastra-loop.mjs';

/** Mastra with its libsql store, which keeps the run's state after every step. */
const { turns, folder } = settings();

const storage = new LibSQLStore({ id: 'bench', url: `file:${folder}/mastra.db` });
const model = loopModel(turns);
const mastra = new Mastra({ workflows: { loop: loopWorkflow(model) }, storage, logger: false });
const before = writtenBytes();
const timing = await timed(turns, async () => {
  const length = await runLoop(mastra.getWorkflow('loop'));
  expectTurns(length ?? model.turns, turns);
});
report({ ...timing, bytes: folderBytes(folder), written: writtenBytes() - before, memoryMb: peakMemoryMb() });
process.exit(0);
