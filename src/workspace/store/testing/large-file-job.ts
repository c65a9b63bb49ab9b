import { closeSync, ftruncateSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { plantTree } from '../../plant-tree.ts';
import { openTreeStore } from '../tree-store.ts';

/** For tests: keeps a file of many megabytes, brings it back in both ways, and prints how much memory that took. Arguments: a folder, megabytes. */
const [base = '', megabytes = ''] = process.argv.slice(2);
const size = Number(megabytes) * 1024 ** 2;
const folders = ['first', 'restored', 'planted', 'nothing'].map((name) => join(base, name));
const [first = '', restored = '', planted = '', nothing = ''] = folders;
for (const folder of folders) mkdirSync(folder);
const file = openSync(join(first, 'large.bin'), 'w');
ftruncateSync(file, size);
writeSync(file, 'in the middle', size / 2);
closeSync(file);
const store = await openTreeStore(join(base, 'store'));
const before = process.resourceUsage().maxRSS;
const leaveOut = (): boolean => false;
const { tree } = await store.record(first, { index: join(base, 'index'), leaveOut });
await store.restore(tree, restored, { index: join(base, 'index-2'), leaveOut, durable: false });
await plantTree({ store, tree, folder: planted, project: nothing });
const grownMegabytes = (process.resourceUsage().maxRSS - before) / 1024;
const again = await store.record(planted, { index: join(base, 'index-3'), leaveOut });
const sizes = [restored, planted].map((folder) => statSync(join(folder, 'large.bin')));
const takenBytes = sizes.map(({ blocks }) => blocks * 512);
process.stdout.write(JSON.stringify({ isExact: again.tree === tree, grownMegabytes, takenBytes }));
await store.close();
