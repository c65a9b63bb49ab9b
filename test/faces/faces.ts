import { openTroupe } from '../../src/app/troupe/open-troupe.ts';
import type { RunHandle, Troupe } from '../../src/app/troupe/troupe.ts';
import { personName } from '../../src/app/runs/person-name.ts';
import { isFault } from '../../src/core/model/fault.ts';
import type { Act } from '../../src/protocol/operations/acts.ts';
import { commandWords } from '../../src/protocol/web/action.ts';
import { steeringTools } from '../../src/server/mcp/steering-tools.ts';
import { RunWatch } from '../../src/server/mcp/run-watch.ts';
import { workflowTools } from '../../src/server/mcp/workflow-tools.ts';
import type { Sandbox } from '../cli/sandbox.ts';
import { path, type Body } from '../web/server/served.ts';
import { pageHere } from '../web/server/page-here.ts';

/** One way to do something to runs. Gives the code of a refusal, or null. */
export interface Face {
  readonly does: (act: Act) => Promise<string | null>;
}

export type OpenFace = (sandbox: Sandbox) => Promise<Face>;

const commandLine: OpenFace = async (sandbox) => ({
  does: async (act) => {
    const { stderr } = await sandbox.troupe([...commandWords(act), '--json', '--no-input']);
    const error = stderr.split('\n').find((line) => line.startsWith('{"kind":"error"'));
    return error === undefined ? null : (JSON.parse(error) as { code: string }).code;
  },
});

const http: OpenFace = async (sandbox) => {
  const page = await pageHere(sandbox);
  return {
    does: async ({ kind, ...rest }) => {
      const { run, ...body } = 'run' in rest ? rest : { ...rest, run: null };
      const answer = await page.post(run === null ? '/api/runs' : path(run, `/${kind}`), body);
      return ((await answer.json()) as Body).error?.code ?? null;
    },
  };
};

const TOOLS: Readonly<Partial<Record<Act['kind'], string>>> = {
  start: 'start_run',
  answer: 'answer_question',
  tell: 'tell_agent',
  pause: 'pause_run',
  cancel: 'cancel_run',
  resume: 'resume_run',
  fork: 'fork_run',
  deliver: 'deliver_run',
  discard: 'discard_run',
  archive: 'archive_run',
  rollback: 'rollback_run',
};

const mcp: OpenFace = async (sandbox) => {
  const { operations } = await pageHere(sandbox);
  const watch = new RunWatch(operations);
  const tools = [...workflowTools(operations, watch), ...steeringTools(operations, watch, { allowsApprovals: false })];
  const calling = { caller: personName(), signal: new AbortController().signal, progress: () => undefined };
  return {
    does: async ({ kind, ...given }) => {
      const tool = tools.find(({ name }) => name === TOOLS[kind]);
      if (tool === undefined) throw new Error(`MCP has no tool for ${kind}.`);
      return await codeOf(() => tool.call(given, calling));
    },
  };
};

/** A program that is started for each act and stays until the run rests, as a command does. */
const library: OpenFace = async ({ project, home }) => {
  const environment = { PATH: process.env['PATH'], HOME: home, TROUPE_HOME: home, TROUPE_SANDBOX: 'best' };
  return {
    does: async (act) =>
      await codeOf(async () => {
        await using troupe = await openTroupe({ project, home, environment });
        const run = await acted(troupe, act);
        await run?.rest();
      }),
  };
};

/** The run that goes on by it. */
async function acted(troupe: Troupe, act: Act): Promise<RunHandle | null> {
  if (act.kind === 'start') {
    const { workflow, input = {}, kind: _kind, ...wishes } = act;
    return await troupe.start(workflow, { ...wishes, input: typeof input === 'string' ? { task: input } : input });
  }
  const { kind, run: id, ...wishes } = act;
  const run = await troupe.run(id);
  if (act.kind === 'fork') {
    const { kind: _fork, run: _from, ...fork } = act;
    return await run.fork(fork);
  }
  if (act.kind === 'answer') await run.answer(act.text, { question: act.question });
  else if (act.kind === 'tell') await run.tell(act.agent, act.text);
  else await (run[kind].bind(run) as (wishes: object) => Promise<unknown>)(wishes);
  return kind === 'answer' || kind === 'resume' ? run : null;
}

async function codeOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
}

export const FACES = { commandLine, http, mcp, library } as const;
