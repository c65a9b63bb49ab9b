import { existsSync } from 'node:fs';
import { z } from 'zod';
import { Fault } from '../../core/fault.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import { commandWords, type Action } from '../../protocol/web/action.ts';
import type { Backstage } from '../backstage.ts';
import { defineMcpTool, type McpTool } from './mcp-tool.ts';
import { runReport } from './run-report.ts';
import type { RunWatch } from './run-watch.ts';

const run = z.string().min(1).max(1000).describe('The id of a run');

/** What lets a run that rests go on, or begins another from where it was. */
export function goingOnTools(backstage: Backstage, watch: RunWatch): readonly McpTool[] {
  const act: Act = async (action) => {
    const { project } = await watch.info(action.run);
    return await backstage.act(commandWords(action), { folder: existsSync(project) ? project : backstage.project });
  };
  return [resumeRun(act, watch), forkRun(act, watch)];
}

type Act = (action: Extract<Action, { readonly kind: 'resume' | 'fork' }>) => Promise<Json>;

const limit = z.number().positive().exactOptional();

const resumeRun = (act: Act, watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'resume_run',
    title: 'Let a run go on',
    description:
      'Lets a run go on that was paused or whose process was lost. Somebody may hold it for a reason, and a limit is what its owner wanted to spend: resume it, or raise a limit, when the person you work for wants that. Past a limit it goes on only with a higher one; a question still needs its answer.',
    input: z.strictObject({
      run,
      limits: z
        .strictObject({ usd: limit, tokens: z.int().positive().exactOptional(), duration: limit.describe('Seconds') })
        .exactOptional()
        .describe('New bounds for the whole run, higher than those it met'),
    }),
    output: runReport,
    isLook: false,
    run: async ({ run: of, limits }) => {
      await act({ kind: 'resume', run: of, ...(limits === undefined ? {} : { limits: { ...limits } }) });
      return { value: await watch.report(of) };
    },
  });

const json = z.custom<Json>(() => true);

const forkRun = (act: Act, watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'fork_run',
    title: 'Begin a new run from a step of another',
    description:
      'Begins a new run that goes on from a step of another, with its conversations and files as they were then. The other one stays as it is. Tells how the new run stands.',
    input: z.strictObject({
      run,
      at: z
        .string()
        .min(1)
        .max(1000)
        .describe('A state, state#2 for its second visit, the number of a record, or start'),
      input: z
        .record(z.string().regex(/^[^=\s][^=]*$/), json)
        .exactOptional()
        .describe('Inputs that are other than they were'),
      title: z.string().min(1).max(1000).exactOptional(),
    }),
    output: runReport,
    isLook: false,
    run: async ({ run: of, ...given }) => {
      const forked = await act({ kind: 'fork', run: of, ...given });
      const name = isJsonObject(forked) ? forked['run'] : null;
      if (typeof name !== 'string') throw new Fault('INTERNAL', 'The run was forked, but its id was not told.');
      return { value: await watch.report(name) };
    },
  });
