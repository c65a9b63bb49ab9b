import { whole } from '../../protocol/whole-list.ts';
import type { Caller } from '../../app/caller.ts';
import { journalAddress } from '../../app/config/project.ts';
import { Fault } from '../../core/model/fault.ts';
import { parseAddress } from '../../journal/journal-address.ts';
import { flag, type Invocation } from '../invocation.ts';
import { EXIT } from '../exit-code.ts';
import { examine } from '../../app/doctor/examine.ts';
import type { DoctorFinding } from '../../app/doctor/finding.ts';
import { paintFor, type Style } from '../terminal/colour.ts';
import { plainText } from '../../protocol/plain-text.ts';
import { type HeadRepair, planRepair, repairHead, type RepairPlan } from '../../journal/sqlite/repair.ts';
import { isDamage } from '../../journal/sqlite/verify.ts';
import { confirm } from '../files/confirm.ts';
import { storeHome } from '../../app/world/store.ts';
import { counted } from '../../protocol/amounts.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { printAnswer } from '../terminal/terminal.ts';

/** `troupe doctor --repair`: shows what is wrong and what it would do, asks, and then writes `journal.head` or nothing. */
export async function repairCommand(invocation: Invocation): Promise<number> {
  await refuseShared(invocation.terminal);
  const home = storeHome(invocation.terminal);
  const plan = await planRepair(home, new Date());
  const say = sayer(invocation, home, plan);
  if (plan.kind === 'nothing') {
    say(false, [`The journal in ${home} is intact. There is nothing to repair.`]);
    return EXIT.ok;
  }
  if (plan.kind === 'refused') {
    say(false, refusalLines(home, plan));
    return EXIT.failed;
  }
  if (!flag(invocation, 'json')) invocation.terminal.stderr.write(`${planLines(plan).map(plainText).join('\n')}\n`);
  if (!flag(invocation, 'yes') && !(await confirm(invocation.terminal, 'Write journal.head again?'))) {
    say(false, ['Nothing was changed.']);
    return EXIT.failed;
  }
  repairHead(home, plan);
  say(true, [`journal.head names commit ${plan.database.head.number} again.`]);
  return EXIT.ok;
}

/** Only the file in the home has something to repair. */
async function refuseShared(caller: Caller): Promise<void> {
  const address = await journalAddress(caller);
  if (address === null) return;
  throw new Fault('REPAIR_SHARED', `The journal is in the database ${parseAddress(address).shown}, not in a file.`, {
    hint: 'A damaged database is restored from its backup. To repair the journal in this home instead: troupe doctor --repair --journal local',
  });
}

/** Prints the end: as lines, or as one object that holds the plan. */
function sayer({ terminal }: Invocation, home: string, plan: RepairPlan) {
  return (isDone: boolean, lines: readonly string[]): void =>
    printAnswer(terminal, { kind: 'repair', home, plan, isDone }, () => lines.map(plainText).join('\n'));
}

function planLines({ problem, database, keepAs, isProven }: HeadRepair): readonly string[] {
  const { head, runs, records } = database;
  return [
    problem,
    `The database is whole: ${counted(runs, 'run')} with ${counted(records, 'record')}, each checked. It ends with commit ${head.number}.`,
    ...(isProven ? [] : ['Whether it once held newer commits cannot be known: only journal.head could show that.']),
    'The repair:',
    ...(keepAs === null ? [] : [`  keeps the present file as ${keepAs}`]),
    `  writes journal.head with commit ${head.number}`,
  ];
}

type Refusal = Extract<RepairPlan, { readonly kind: 'refused' }>;

function refusalLines(home: string, { problems, database, isHeadDamaged }: Refusal): readonly string[] {
  const lines = problems.map((problem) => problemText(problem).trim());
  if (!problems.some(isDamage)) return [...lines, 'Nothing was changed: the journal is not damaged.'];
  return [
    ...lines,
    ...readableLines(database),
    'Nothing was changed: damaged records cannot be made again.',
    `Copy the folder ${home} before you try anything else, then put back journal.db and journal.db-wal from a backup.`,
    ...openingLines(isHeadDamaged, database),
  ];
}

function readableLines(database: Refusal['database']): readonly string[] {
  if (database === null) return ['None of its runs can be read.'];
  return [`${database.wholeRuns} of ${counted(database.runs, 'run')} can be read whole.`];
}

/** Without a head the database speaks for itself, and a damaged run is refused alone. */
function openingLines(isHeadDamaged: boolean, database: Refusal['database']): readonly string[] {
  if (database === null) return [];
  if (!isHeadDamaged) return ['Runs that can be read completely still work.'];
  return [
    'Without a backup, move journal.head away: runs that can be read whole work again, damaged ones stay refused.',
  ];
}

const STYLES: Readonly<Record<DoctorFinding['level'], Style>> = {
  ok: 'green',
  absent: 'dim',
  warning: 'yellow',
  error: 'red',
};

/** `troupe doctor`: looks at everything, changes nothing of yours, calls no model. Only `--repair` writes. */
export async function doctorCommand(invocation: Invocation): Promise<number> {
  if (flag(invocation, 'repair')) return await repairCommand(invocation);
  const { terminal, version } = invocation;
  const findings = await examine(terminal, version);
  const paint = paintFor(terminal.stdout, terminal.environment);
  const lines = findings.map(
    ({ level, about, text }) => `${paint(STYLES[level], level.padEnd(8))} ${about.padEnd(10)} ${plainText(text)}`,
  );
  printAnswer(terminal, { kind: 'findings', ...whole(findings) }, () => lines.join('\n'));
  return findings.some((finding) => finding.level === 'error') ? EXIT.failed : EXIT.ok;
}
