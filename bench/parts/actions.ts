import { openTroupe } from '../../src/app/troupe/open-troupe.ts';
import type { Troupe } from '../../src/app/troupe/troupe.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Journal } from '../../src/journal/port.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import type { Part } from '../harness/part.ts';
import { median, percentile } from '../harness/statistics.ts';
import { startServer, type TroupeServer } from '../harness/troupe-server.ts';
import { askingProject, runCommand, waitingRun, type AskingProject } from '../jobs/asking-project.ts';

const ANSWER = {
  verb: 'answer',
  record: 'question.answered',
  body: { question: 'q1', text: 'red' },
  words: ['q1', 'red', '--detach'],
} as const;

/** What each is on either way, and the record that it becomes. */
const ACTIONS = {
  answer: ANSWER,
  'answer, no process drives the run': ANSWER,
  pause: { verb: 'pause', record: 'run.paused', body: {}, words: [] },
  fork: { verb: 'fork', record: 'run.forked', body: { at: 'start' }, words: ['--at', 'start', '--no-run'] },
} as const;

type Action = keyof typeof ACTIONS;

/** A button of the page, from the request to its record, beside the same by starting the command line. */
export const actions: Part = {
  name: 'actions',
  title: 'Actions of the page',
  async run(bench) {
    const project = askingProject(bench.folder('actions'));
    const journal = await openSqliteJournal({ home: project.home });
    const server = await startServer(project.home, { folder: project.folder });
    const troupe = await openTroupe({ project: project.folder, home: project.home });
    const rounds = bench.quick ? 2 : 12;
    try {
      const rows: { action: Action; page: number[]; command: number[] }[] = [];
      for (const action of Object.keys(ACTIONS) as readonly Action[]) {
        const row = { action, page: [] as number[], command: [] as number[] };
        for (let round = 0; round < rounds; round += 1) {
          bench.say(`actions, ${action} ${round + 1} of ${rounds}`);
          const next = async (): Promise<string> =>
            action === 'answer' ? await drivenRun(troupe) : await waitingRun(project);
          row.page.push(await byPage({ server, journal }, action, await next()));
          row.command.push(await byCommand({ project, journal }, action, await next()));
        }
        rows.push(row);
      }
      return {
        tables: [
          {
            title: 'From the request to its record, ms',
            columns: ['action', 'page, p50', 'page, p95', 'by starting the command line, p50'],
            rows: rows.map(({ action, page, command }) => [
              action,
              median(page),
              percentile(page, 0.95),
              median(command),
            ]),
          },
        ],
        goals: rows.map(({ action, page }) => ({
          what: `page: ${action} to its record, p50`,
          atMost: 40,
          found: median(page),
          unit: 'ms',
        })),
      };
    } finally {
      await server.stop();
      await troupe.close();
      await journal.close();
    }
  },
};

/** The id of a run that asks and that this process drives. */
async function drivenRun(troupe: Troupe): Promise<string> {
  const run = await troupe.start('asking');
  await run.rest();
  return run.id;
}

interface OnPage {
  readonly server: TroupeServer;
  readonly journal: Journal;
}

async function byPage({ server, journal }: OnPage, action: Action, run: string): Promise<number> {
  const began = Date.now();
  const answer = await server.post(`/api/runs/${run}/${ACTIONS[action].verb}`, ACTIONS[action].body);
  return (await recordedAt(journal, action, String(answer['run']))) - began;
}

interface OnCommandLine {
  readonly project: AskingProject;
  readonly journal: Journal;
}

async function byCommand({ project, journal }: OnCommandLine, action: Action, run: string): Promise<number> {
  const began = Date.now();
  const [first = ''] = (await runCommand(project, [ACTIONS[action].verb, run, ...ACTIONS[action].words])).split('\n');
  return (await recordedAt(journal, action, (JSON.parse(first) as { readonly run: string }).run)) - began;
}

async function recordedAt(journal: Journal, action: Action, run: string): Promise<number> {
  const { record } = ACTIONS[action];
  for (;;) {
    const found = (await journal.read(runId(run))).findLast(({ fact }) => fact.kind === record);
    if (found !== undefined) return found.at;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = journal.onChange(() => resolve());
    await Promise.race([promise, new Promise((again) => setTimeout(again, 20))]);
    stop();
  }
}
