import { join } from 'node:path';
import { folderBytes } from '../harness/folder-bytes.ts';
import { peakMemoryMb, report, settings, writtenBytes } from '../harness/report.ts';
import { timed } from '../harness/timed.ts';
import { bareTransactions } from './bare-transactions.ts';

/** As many bytes in as many transactions as Troupe made. */
const { turns, folder, transactions, textBytes } = settings() as {
  turns: number;
  folder: string;
  transactions: number;
  textBytes: number;
};

const bare = bareTransactions(join(folder, 'bare.db'), Math.round(textBytes / transactions));
const before = writtenBytes();
const timing = await timed(turns, async () => bare.write(transactions));
const written = (writtenBytes() ?? 0) - (before ?? 0);
bare.close();
report({ ...timing, bytes: folderBytes(folder), written, memoryMb: peakMemoryMb() });
