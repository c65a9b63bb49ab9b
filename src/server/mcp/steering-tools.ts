import { existsSync } from 'node:fs';
import { z } from 'zod';
import { commandWords, optionWords } from '../../protocol/web/action.ts';
import type { Backstage } from '../backstage.ts';
import { defineMcpTool, type McpTool } from './mcp-tool.ts';
import { runReport, type RunReport } from './run-report.ts';
import type { RunWatch } from './run-watch.ts';

const run = z.string().min(1).max(1000).describe('The id of a run');
const text = z.string().min(1).max(1_000_000);

/** What can be done to a run. Each is a command of the command line. */
export function steeringTools(
  backstage: Backstage,
  watch: RunWatch,
  { allowsApprovals }: { readonly allowsApprovals: boolean },
): readonly McpTool[] {
  const act: Act = async (of, words) => {
    const { project } = await watch.info(of);
    await backstage.act(words, { folder: existsSync(project) ? project : backstage.project });
    return await watch.report(of);
  };
  return [answerQuestion(act, allowsApprovals ? ['--allow-approvals'] : []), tellAgent(act), cancelRun(act)];
}

/** In the folder of the run's project; how the run stands then. */
type Act = (run: string, words: readonly string[]) => Promise<RunReport>;

const answerQuestion = (act: Act, more: readonly string[]): McpTool =>
  defineMcpTool({
    name: 'answer_question',
    title: 'Answer a question of a run',
    description:
      'Answers what a run asks, with the answer of the person you work for. A question with isApproval is answered by that person: unless they started this server with --allow-approvals you get APPROVAL_BY_PERSON and the command that they run. The journal says that an answer came from you. The first answer counts; a later one is refused (QUESTION_CLOSED), and so is one for files that changed since (ANSWER_VOID).',
    input: z.strictObject({
      run,
      question: z.string().min(1).max(1000).describe('As run_status names it, such as q1 or t3/q1'),
      text: text.describe('The answer; exactly one of the choices where there are some'),
      files: z.string().min(1).max(10_000).exactOptional().describe('As run_status has it with the question'),
    }),
    output: runReport,
    isLook: false,
    run: async ({ run: of, question, text: answer, files }, { caller }) => ({
      value: await act(of, answerWords({ of, question, answer, files, caller, more })),
    }),
  });

interface Answering {
  readonly of: string;
  readonly question: string;
  readonly answer: string;
  readonly files: string | undefined;
  readonly caller: string;
  readonly more: readonly string[];
}

function answerWords({ of, question, answer, files, caller, more }: Answering): readonly string[] {
  const options = ['--by', caller, '--via', 'mcp', ...more, ...optionWords('--files', files)];
  return ['answer', ...options, '--', of, question, answer];
}

const tellAgent = (act: Act): McpTool =>
  defineMcpTool({
    name: 'tell_agent',
    title: 'Say something to an agent of a run',
    description:
      'Says something to an agent of a run that is not over. It hears it with its next model call where it is at work, else with its next turn.',
    input: z.strictObject({
      run,
      agent: z.string().min(1).max(1000).describe('Its name in the workflow; t3/coder for one of a run below'),
      text,
    }),
    output: runReport,
    isLook: false,
    run: async ({ run: of, agent, text: words }, { caller }) => ({
      value: await act(of, ['tell', '--by', caller, '--', of, agent, words]),
    }),
  });

const cancelRun = (act: Act): McpTool =>
  defineMcpTool({
    name: 'cancel_run',
    title: 'Cancel a run',
    description: 'Ends a run for good. What it has done so far is kept.',
    input: z.strictObject({ run, reason: z.string().min(1).max(10_000).exactOptional() }),
    output: runReport,
    isLook: false,
    isEnding: true,
    run: async ({ run: of, reason }, { caller }) => ({
      value: await act(
        of,
        commandWords({ kind: 'cancel', run: of, reason: `${reason ?? 'no reason given'} (${caller})` }),
      ),
    }),
  });
