// Node's own start, then all bytes of the journal. Plain JavaScript, so that stripping types costs it nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { folder } = JSON.parse(process.argv[2]);
let bytes = 0;
for (const name of readdirSync(folder)) bytes += readFileSync(join(folder, name)).length;
process.stdout.write(`\n${JSON.stringify({ at: performance.timeOrigin + performance.now(), bytes })}\n`);
