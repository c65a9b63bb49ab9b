import { z } from 'zod';
import { run } from '../../protocol/operations/parts.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import type { Operations } from '../operations.ts';
import { defineMcpTool, type McpTool } from './mcp-tool.ts';
import { runReport } from './run-report.ts';
import { resultOf, mcpRunResult } from './run-result.ts';
import type { RunWatch } from './run-watch.ts';

/** How runs stand and what came out. */
export function lookTools(operations: Operations, watch: RunWatch): readonly McpTool[] {
  return [listOfRuns(operations, watch), runStatus(watch), waitRun(watch), resultTool(operations, watch)];
}

const listOfRuns = (operations: Operations, watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'list_runs',
    title: 'List runs',
    description: 'The runs of this project, the newest first.',
    input: PROJECT.list.request.omit({ project: true }).extend({ allProjects: z.boolean().default(false) }),
    output: z.object({ runs: z.array(runReport), next: z.string().nullable() }),
    isLook: true,
    run: async ({ allProjects, ...request }) => {
      const page = await watch.list({ ...request, ...(allProjects ? {} : { project: operations.project }) });
      return { value: { runs: [...page.runs], next: page.next } };
    },
  });

const runStatus = (watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'run_status',
    title: 'Status of a run',
    description: 'The status of a run: its state, the agents at work, its questions, its cost.',
    input: z.strictObject({ run }),
    output: runReport,
    isLook: true,
    run: async ({ run: of }) => ({ value: await watch.report(of) }),
  });

/** Clients give up on a tool after a minute or so. */
const MOST_SECONDS = 60;

const waitRun = (watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'wait_run',
    title: 'Wait for a run',
    description: `Waits until a run is over or needs a person, ${MOST_SECONDS} seconds at most; then returns its status. Call it again while the status is "running".`,
    input: z.strictObject({ run, seconds: z.number().min(0).max(MOST_SECONDS).default(45) }),
    output: runReport,
    isLook: true,
    run: async ({ run: of, seconds }, { signal, progress }) => ({
      value: await watch.wait(of, { withinMs: seconds * 1000, signal, progress }),
    }),
  });

const resultTool = (operations: Operations, watch: RunWatch): McpTool =>
  defineMcpTool({
    name: 'run_result',
    title: 'Result of a run',
    description:
      'The result of a run that is over: its output, the files it changed, the artifacts of its agents. Large parts are links to resources.',
    input: z.strictObject({ run }),
    output: mcpRunResult,
    isLook: true,
    run: async ({ run: of }) => await resultOf(operations, await watch.report(of)),
  });
