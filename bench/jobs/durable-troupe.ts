import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { folderBytes } from '../harness/folder-bytes.ts';
import { peakMemoryMb, report, settings, writtenBytes } from '../harness/report.ts';
import { timed } from '../harness/timed.ts';
import { expectTurns, loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost, expectSettled } from './world.ts';

/** Troupe on its SQLite journal. Also tells how many transactions there were and how long their records are as text. */
const { turns, folder } = settings() as { turns: number; folder: string };

const journal = await openSqliteJournal({ home: folder });
let transactions = 0;
const append = journal.append.bind(journal);
journal.append = (lease, batch) => {
  transactions += 1;
  return append(lease, batch);
};

const model = loopModel(turns);
const host = benchHost(journal, loopActor(model));
const definition = teamDefinition(turns);
const before = writtenBytes();
let run = '';
const timing = await timed(turns, async () => {
  const id = await host.start({ definition, input: { task: 'Write a parser.' }, project: '/' });
  run = id;
  expectSettled(await host.rest(id));
});
expectTurns(model.turns, turns);
await host.shutdown();
const written = (writtenBytes() ?? 0) - (before ?? 0);
const records = await journal.read(run as Parameters<typeof journal.read>[0]);
const textBytes = records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record.fact)), 0);
await journal.close();
report({ ...timing, bytes: folderBytes(folder), written, transactions, textBytes, memoryMb: peakMemoryMb() });
