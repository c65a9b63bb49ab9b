// Loaded into a `troupe` before its own code: kills the process with -9 at one exact moment.
// STORM_DIE_AT: "before|after KIND N", around the commit that holds the Nth record of a kind; "file N", once N files of an apply
// are written.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { StatementSync } from 'node:sqlite';

const [when = '', ...rest] = (process.env['STORM_DIE_AT'] ?? '').split(' ');
const most = Number(rest.at(-1));
const kind = rest.length > 1 ? rest[0] : 'project.changed';
let records = 0;
let isDue = false;
let isApplying = false;
let files = 0;

const die = (): void => void process.kill(process.pid, 'SIGKILL');

// eslint-disable-next-line @typescript-eslint/unbound-method
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function counted(this: StatementSync, ...values: never[]) {
  const isCommit = this.sourceSQL === 'COMMIT';
  if (!isCommit && values.some(isRecord)) {
    records += 1;
    isDue = records === most;
    isApplying = true;
  }
  if (isCommit && isDue && when === 'before') die();
  const result = Reflect.apply(run, this, values);
  if (isCommit && isDue && when === 'after') die();
  return result;
} as typeof run;

const isRecord = (value: unknown): boolean => typeof value === 'string' && value.includes(`"kind":"${kind}"`);

const { linkSync } = fs;
fs.linkSync = (...names) => {
  linkSync(...names);
  if (isApplying) files += 1;
  if (when === 'file' && files === most) die();
};
syncBuiltinESMExports();
