import { existsSync } from 'node:fs';
import { z } from 'zod';
import { DEEDS, ORDERS, type Act } from '../../protocol/operations/acts.ts';
import type { Backstage } from '../backstage.ts';
import { defineMcpTool, type McpTool } from './mcp-tool.ts';
import { runReport, type RunReport } from './run-report.ts';
import type { RunWatch } from './run-watch.ts';

/** What can be done to a run. */
export function steeringTools(
  backstage: Backstage,
  watch: RunWatch,
  { allowsApprovals }: { readonly allowsApprovals: boolean },
): readonly McpTool[] {
  const act: Perform = async (wanted, by) => {
    const { project } = await watch.info(wanted.run);
    const folder = existsSync(project) ? project : backstage.project;
    const { run } = answered.parse(await backstage.act(wanted, { by, via: 'mcp', allowsApprovals, folder }));
    return await watch.report(wanted.kind === 'fork' ? run : wanted.run);
  };
  return [
    answerQuestion(act),
    tellAgent(act),
    pauseRun(act),
    cancelRun(act),
    resumeRun(act),
    forkRun(act),
    deliverRun(act),
    discardRun(act),
    archiveRun(act),
  ];
}

/** Every act names the run that it was done to, or that it began. */
const answered = z.looseObject({ run: z.string() });

/** In the folder of the run's project; how the run stands then. */
type Perform = (act: Extract<Act, { readonly run: string }>, by: string) => Promise<RunReport>;

const answerQuestion = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'answer_question',
    title: 'Answer a question of a run',
    description:
      'Answers what a run asks, with the answer of the person you work for. A question with isApproval is answered by that person: unless they started this server with --allow-approvals you get APPROVAL_BY_PERSON and the command that they run. The journal says that an answer came from you. The first answer counts; a later one is refused (QUESTION_CLOSED), and so is one for files that changed since (ANSWER_VOID).',
    input: ORDERS.answer.far.extend({
      question: z.string().min(1).max(1000).describe('As run_status names it, such as q1 or t3/q1'),
      text: z.string().min(1).max(1_000_000).describe('The answer; exactly one of the choices where there are some'),
      files: z.string().min(1).max(10_000).exactOptional().describe('As run_status has it with the question'),
    }),
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'answer', ...given }, caller) }),
  });

const tellAgent = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'tell_agent',
    title: 'Say something to an agent of a run',
    description:
      'Says something to an agent of a run that is not over. It hears it with its next model call where it is at work, else with its next turn.',
    input: DEEDS.tell.request,
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'tell', ...given }, caller) }),
  });

const pauseRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'pause_run',
    title: 'Pause a run',
    description: 'Holds a run until somebody resumes it. What is under way is stopped and done again then.',
    input: DEEDS.pause.request,
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'pause', ...given }, caller) }),
  });

const cancelRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'cancel_run',
    title: 'Cancel a run',
    description: 'Ends a run for good. What it has done so far is kept.',
    input: DEEDS.cancel.request,
    output: runReport,
    isLook: false,
    isEnding: true,
    run: async (given, { caller }) => ({ value: await act({ kind: 'cancel', ...given }, caller) }),
  });

const resumeRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'resume_run',
    title: 'Let a run go on',
    description:
      'Lets a run go on that was paused or whose process was lost. Somebody may hold it for a reason, and a limit is what its owner wanted to spend: resume it, or raise a limit, when the person you work for wants that. Past a limit it goes on only with a higher one; a question still needs its answer.',
    // A different definition may drop what a person has to approve.
    input: ORDERS.resume.far.omit({ definition: true }),
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'resume', ...given }, caller) }),
  });

const forkRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'fork_run',
    title: 'Begin a new run from a step of another',
    description:
      'Begins a new run that goes on from a step of another, with its conversations and files as they were then. The other one stays as it is. Tells how the new run stands.',
    input: ORDERS.fork.far,
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'fork', ...given }, caller) }),
  });

const deliverRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'deliver_run',
    title: 'Bring the result of a run to the user',
    description:
      'Brings what a run changed to the person you work for: as a branch, or into their files (apply). With nothing but the run, what was asked for when it started is done again. Files that no check passed, that changed after an approval, that are in conflict, or that steer programs are taken by that person only: the refusal names the command.',
    // A person takes files that a check refused or that steer their programs; a check of the agent's choice would settle that too.
    input: DEEDS.deliver.far,
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'deliver', ...given }, caller) }),
  });

const discardRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'discard_run',
    title: 'Discard the result of a run',
    description:
      'Records that the person you work for does not want the result of a run that is over, and removes the branch or the patch that Troupe made of it. isUndone takes that back.',
    input: DEEDS.discard.request,
    output: runReport,
    isLook: false,
    isEnding: true,
    run: async (given, { caller }) => ({ value: await act({ kind: 'discard', ...given }, caller) }),
  });

const archiveRun = (act: Perform): McpTool =>
  defineMcpTool({
    name: 'archive_run',
    title: 'Hide a run from lists',
    description:
      'Hides a run that is over from lists and the board. Nothing of it is removed; isUndone shows it again.',
    input: DEEDS.archive.request,
    output: runReport,
    isLook: false,
    run: async (given, { caller }) => ({ value: await act({ kind: 'archive', ...given }, caller) }),
  });
