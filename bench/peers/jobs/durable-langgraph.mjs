import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { peakMemoryMb, report, settings, writtenBytes } from '../../harness/report.ts';
import { folderBytes } from '../../harness/folder-bytes.ts';
import { timed } from '../../harness/timed.ts';
import { expectTurns, loopModel } from '../../workload.ts';
import { configOf, loopGraph } from './langgraph-loop.mjs';

/** LangGraph on its SQLite saver: whole states, or differences with `delta`. Its own settings: WAL, synced by SQLite's default. */
const { turns, folder, delta } = settings();

const checkpointer = SqliteSaver.fromConnString(`${folder}/checkpoints.db`);
const before = writtenBytes();
const timing = await timed(turns, async () => {
  const graph = loopGraph(loopModel(turns), { checkpointer, delta });
  const end = await graph.invoke({}, configOf(turns, 'thread'));
  expectTurns(end.history.length, turns);
});
const written = writtenBytes() - before;
checkpointer.db.close();
report({ ...timing, bytes: folderBytes(folder), written, memoryMb: peakMemoryMb() });
