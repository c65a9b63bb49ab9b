import { execFileSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Fact, JournalRecord } from '../../src/core/record/fact.ts';
import type { FilesChanged } from '../../src/core/record/files-fact.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import { batchOf } from '../../src/host/embedded/batch.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { gitProject, WRITING, writingProject } from './file-projects.ts';
import type { Sandbox } from './sandbox.ts';

/** What was printed on the way to a state of a result. */
interface Prepared {
  readonly sandbox: Sandbox;
  readonly run: string;
  readonly printed: string;
}

const RED = 'echo "FAIL sum.test.ts > adds"; exit 7';

const STEERING = WRITING.replace(
  '- { name: edit_file',
  '- { name: write_file, arguments: { path: .npmrc, content: "loglevel=silent\\n" } }\n          - { name: edit_file',
);

async function newest(sandbox: Sandbox): Promise<string> {
  const { stdout } = await sandbox.troupe(['list', '--json']);
  const [first] = (JSON.parse(stdout) as { readonly items: readonly { readonly run: string }[] }).items;
  return first?.run ?? '';
}

/** Runs the workflow as a person does. */
async function ran(sandbox: Sandbox, ...words: readonly string[]): Promise<Prepared> {
  const { stderr } = await sandbox.troupe(['run', 'two_steps', 'Write it', ...words]);
  return { sandbox, run: await newest(sandbox), printed: stderr };
}

async function then({ sandbox, run, printed }: Prepared, ...words: readonly string[]): Promise<Prepared> {
  const { stderr } = await sandbox.troupe([words[0] ?? '', run, ...words.slice(1)]);
  return { sandbox, run, printed: `${printed}\n${stderr}` };
}

const refused = async (): Promise<Prepared> => await ran(gitProject(), '--verify', RED);

/** A command state failed on the files, and the workflow still came to a good end. */
const CHECKED = `import { defineWorkflow } from 'troupe';
export const checked = defineWorkflow({
  name: 'two_steps',
  data: {},
  agents: { worker: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'worker', input: "'Write it'" }, transitions: ['check'] },
    check: {
      work: { kind: 'command', command: "'test -e missing.txt'", okExitCodes: [0] },
      transitions: ['done'],
      on: { failed: ['done'] },
    },
    done: { kind: 'end' },
  },
});
`;

async function refusedByWorkflow(): Promise<Prepared> {
  const sandbox = gitProject({ 'checked.ts': CHECKED });
  const { stderr } = await sandbox.troupe(['run', 'checked.ts']);
  return { sandbox, run: await newest(sandbox), printed: stderr };
}

async function inConflict(): Promise<Prepared> {
  const done = await ran(gitProject());
  done.sandbox.write('src/made.txt', 'mine\n');
  return await then({ ...done, printed: '' }, 'deliver', '--apply');
}

/** The process is killed while the check runs; the check passes once the project has the file. */
async function killed(): Promise<Prepared> {
  const sandbox = gitProject();
  const check = 'test -e go.txt || { touch check-began; sleep 60; }';
  const running = sandbox.start(['run', 'two_steps', 'Write it', '--verify', check]);
  const runs = join(sandbox.home, 'runs');
  // A glob passes over folders that go away while it looks.
  const hasBegun = () => globSync('**/check-began', { cwd: runs }).length > 0;
  await vi.waitUntil(hasBegun, { timeout: 30_000 });
  running.child.kill('SIGKILL');
  const { stderr } = await running.ended;
  sandbox.write('go.txt', '');
  return { sandbox, run: await newest(sandbox), printed: stderr };
}

/** The record before the first file of an apply, and nothing after it. */
async function halfApplied(): Promise<Prepared> {
  return await recorded(await ran(gitProject()), ({ base, tree }) => {
    const trees = { before: base, after: tree, kept: [], by: 'ada' };
    return { kind: 'project.changed', how: 'applied', ...trees, isBeginning: true };
  });
}

const APPROVED = `import { defineWorkflow } from 'troupe';
export const approved = defineWorkflow({
  name: 'two_steps',
  data: {},
  agents: { worker: {} },
  states: {
    start: { work: { kind: 'turn', agent: 'worker', input: "'Write it'" }, transitions: ['ask'] },
    ask: { work: { kind: 'ask', question: "'Ship it?'", choices: ['yes', 'no'] }, transitions: ['done'] },
    done: { kind: 'end' },
  },
});
`;

/** The files are others than the person said yes to. */
async function notApproved(): Promise<Prepared> {
  const sandbox = gitProject({ 'approved.ts': APPROVED });
  await sandbox.troupe(['run', 'approved.ts']);
  const run = await newest(sandbox);
  await sandbox.troupe(['answer', run, 'yes']);
  const changed = await recorded({ sandbox, run, printed: '' }, ({ base, tree, version }, records) => {
    const earlier = records.find(({ fact }) => fact.kind === 'files.changed')?.fact as FilesChanged;
    expect([base, tree]).not.toContain(earlier.tree);
    return { ...earlier, version: version + 1 };
  });
  return await then(changed, 'resume');
}

type Files = Snapshot['workspaces'][string];

/** The run with one more record about its main workspace. */
async function recorded(
  done: Prepared,
  factOf: (main: Files, records: readonly JournalRecord[]) => Fact,
): Promise<Prepared> {
  const journal = await openSqliteJournal({ home: done.sandbox.home });
  const run = runId(done.run);
  const records = await journal.read(run);
  const before = foldRecords(records);
  const main = before.workspaces['main'];
  if (main === undefined) throw new Error('It has no files.');
  const fact = factOf(main, records);
  const lease = await journal.lease(run, 'test');
  const snapshot = foldRecords([...records, { seq: before.seq + 1, at: before.at, fact }]);
  await journal.append(lease, batchOf([fact], { after: before.seq, snapshot }));
  await journal.release(lease);
  await journal.close();
  return { ...done, printed: '' };
}

const STATES: Readonly<Record<string, () => Promise<Prepared>>> = {
  'in branch': async () => await ran(gitProject()),
  'in a patch': async () => await ran(writingProject()),
  applied: async () => await ran(gitProject(), '--apply'),
  'applied, files held back': async () => await ran(gitProject({ 'answers.yaml': STEERING }), '--apply'),
  'not verified': refused,
  'not verified, by the workflow': refusedByWorkflow,
  'in branch, taken as not verified': async () => await then(await refused(), 'deliver', '--unverified'),
  'in conflict': inConflict,
  'partly applied': halfApplied,
  'not delivered': killed,
  'not approved': notApproved,
  'changes wait': async () => {
    const applied = await then(await ran(gitProject()), 'deliver', '--apply');
    const undo = /troupe rollback \S+ --to (\d+)/.exec(applied.printed)?.[1] ?? '';
    return { ...(await then(applied, 'rollback', '--to', undo, '--files', '--yes')), printed: '' };
  },
  'nothing changed': async () => await ran(gitProject({ 'answers.yaml': 'rules:\n  - reply: Done.\n' })),
};

const COMMAND = /(?:troupe (?:merge|diff|resume|rollback)|git (?:merge|diff|show|apply|cherry-pick))(?: [\w./=-]+)+/g;

/** The commands in a text, with values for what the user fills in; what follows only after another step is left out. */
function commandsIn(text: string, run: string): readonly string[] {
  const steps = text.replaceAll(/,?\s+then .*/g, '').replaceAll('. ', '\n');
  const filled = (steps.match(COMMAND) ?? [])
    .map((command) =>
      command
        .replace('COMMAND', 'true')
        .replace('FILE', 'out.patch')
        .replace(/\bRUN\b/, run),
    )
    .map((command) => (command.startsWith('troupe rollback') ? `${command} --yes` : command));
  return [...new Set(filled)];
}

/** Refused, as opposed to done or in conflict with what is then handed over. */
async function refusalOf({ sandbox }: Prepared, command: string): Promise<string | null> {
  const [program, ...words] = command.split(' ');
  if (program === 'git') {
    execFileSync('git', words, { cwd: sandbox.project, stdio: 'ignore' });
    return null;
  }
  const { code, stderr } = await sandbox.troupe(words);
  const isRefused = (code !== 0 && code !== 3) || /^troupe: [A-Z_]+:|Nothing was changed/m.test(stderr);
  return isRefused ? `${command}: ${code}: ${stderr}` : null;
}

test.each(Object.keys(STATES))(
  '[L4] [U1] no command is refused that is printed for a result that is %s',
  async (name) => {
    const prepared = await (STATES[name] as () => Promise<Prepared>)();
    const { sandbox, run, printed } = prepared;
    const seen = [await sandbox.troupe(['show', run]), await sandbox.troupe(['watch', run])];
    const text = [printed, ...seen.flatMap(({ stdout, stderr }) => [stdout, stderr])].join('\n');
    const [folder, kept] = [dirname(sandbox.project), `${dirname(sandbox.project)}.kept`];
    cpSync(folder, kept, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
    const refusals: string[] = [];
    for (const command of commandsIn(text, run)) {
      const refusal = await refusalOf(prepared, command);
      if (refusal !== null) refusals.push(refusal);
      rmSync(folder, { recursive: true });
      cpSync(kept, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    }
    expect(refusals).toEqual([]);
  },
  60_000,
);
