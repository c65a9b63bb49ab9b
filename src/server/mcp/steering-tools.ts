import { existsSync } from 'node:fs';
import { z } from 'zod';
import { IMMEDIATE_ACTS, ORDERS, type Act } from '../../protocol/operations/acts.ts';
import type { Operations } from '../operations.ts';
import { defineMcpTool, type McpTool, type McpToolSpec } from './mcp-tool.ts';
import { runReport } from './run-report.ts';
import type { RunWatch } from './run-watch.ts';

/** Tools that act on a run, in the folder of its project; each answers with the run's new state. */
export function steeringTools(
  operations: Operations,
  watch: RunWatch,
  { allowsApprovals }: { readonly allowsApprovals: boolean },
): readonly McpTool[] {
  const act = async (wanted: RunAct, by: string) => {
    const { project } = await watch.info(wanted.run);
    const folder = existsSync(project) ? project : operations.project;
    const { run } = answered.parse(await operations.act(wanted, { by, via: 'mcp', allowsApprovals, folder }));
    return { value: await watch.report(wanted.kind === 'fork' ? run : wanted.run) };
  };
  return STEERING.map(({ kind, ...spec }) =>
    defineMcpTool({
      ...spec,
      output: runReport,
      isLook: false,
      // The schema of each tool is that of its kind.
      run: async (given, { caller }) => await act({ kind, ...given } as RunAct, caller),
    }),
  );
}

/** Every act names the run that it was done to, or that it began. */
const answered = z.looseObject({ run: z.string() });

type RunAct = Extract<Act, { readonly run: string }>;

interface SteeringTool extends Omit<McpToolSpec<object, object>, 'output' | 'isLook' | 'run'> {
  readonly kind: RunAct['kind'];
}

const STEERING: readonly SteeringTool[] = [
  {
    kind: 'answer',
    name: 'answer_question',
    title: 'Answer a question of a run',
    description:
      'Answers a question of a run, with the answer of the person you work for. A question with isApproval is answered by that person: unless they started this server with --allow-approvals you get APPROVAL_BY_PERSON and the command that they run. The journal says that an answer came from you. The first answer counts; a later one is refused (QUESTION_CLOSED), and so is one for files that changed since (ANSWER_VOID).',
    input: ORDERS.answer.far.extend({
      question: z.string().min(1).max(1000).describe('As run_status names it, such as q1 or t3/q1'),
      text: z.string().min(1).max(1_000_000).describe('The answer; exactly one of the choices where there are some'),
      files: z.string().min(1).max(10_000).exactOptional().describe('As run_status has it with the question'),
    }),
  },
  {
    kind: 'tell',
    name: 'tell_agent',
    title: 'Say something to an agent of a run',
    description:
      'Says something to an agent of a run that is not over. It hears it with its next model call where it is at work, else with its next turn.',
    input: IMMEDIATE_ACTS.tell.request,
  },
  {
    kind: 'pause',
    name: 'pause_run',
    title: 'Pause a run',
    description: 'Pauses a run until it is resumed. Work in progress is stopped, and repeated then.',
    input: IMMEDIATE_ACTS.pause.request,
  },
  {
    kind: 'cancel',
    name: 'cancel_run',
    title: 'Cancel a run',
    description: 'Cancels a run. Its work so far is kept.',
    input: IMMEDIATE_ACTS.cancel.request,
    isEnding: true,
  },
  {
    kind: 'resume',
    name: 'resume_run',
    title: 'Resume a run',
    description:
      'Resumes a run that was paused or whose process was lost. It may be paused for a reason, and a limit is what its owner wanted to spend: resume it, or raise a limit, when the person you work for wants that. Past a limit it continues only with a higher one; a question still needs its answer.',
    // A different definition may drop what a person has to approve.
    input: ORDERS.resume.far.omit({ definition: true }),
  },
  {
    kind: 'fork',
    name: 'fork_run',
    title: 'Start a new run from a step of another',
    description:
      'Starts a new run from a step of another, with its conversations and files as they were then. The other run does not change. Returns the status of the new run.',
    input: ORDERS.fork.far,
  },
  {
    kind: 'deliver',
    name: 'deliver_run',
    title: 'Deliver the result of a run to the user',
    description:
      'Delivers the changes of a run to the person you work for: as a branch, or into their files (apply). With nothing but the run, what was asked for when it started is done again. Files that no check passed, that changed after an approval, that are in conflict, or that steer programs are taken by that person only: the refusal names the command.',
    // A person takes files that a check refused or that steer their programs; a check of the agent's choice would settle that too.
    input: IMMEDIATE_ACTS.deliver.far,
  },
  {
    kind: 'discard',
    name: 'discard_run',
    title: 'Discard the result of a run',
    description:
      'Records that the person you work for does not want the result of a run that is over, and removes the branch or the patch that Troupe made of it. isUndone takes that back.',
    input: IMMEDIATE_ACTS.discard.request,
    isEnding: true,
  },
  {
    kind: 'archive',
    name: 'archive_run',
    title: 'Hide a run from lists',
    description:
      'Hides a run that is over from lists and the board. Nothing of it is removed; isUndone shows it again.',
    input: IMMEDIATE_ACTS.archive.request,
  },
  {
    kind: 'rollback',
    name: 'rollback_run',
    title: 'Put a run back to a step',
    description:
      'Puts a run back to a step: its conversations, its files, or both. A rollback can be undone by rolling back to the record before it. One that changes files of the project is for the person you work for: unless they started this server with --allow-approvals you get APPROVAL_BY_PERSON and the command that they run.',
    input: IMMEDIATE_ACTS.rollback.far,
    isEnding: true,
  },
];
