import type { RUN_CODES } from '../../../src/core/codes/run-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** Runs, their results, limits and questions. */
export const RUN_TEXTS: CodeTexts<typeof RUN_CODES> = {
  AGENT_AMBIGUOUS: [
    'Several agents of the run have this name.',
    'Name the workspace or the run that the agent belongs to.',
  ],
  AGENT_UNKNOWN: [
    'The run or the workflow has no agent and no role with this name.',
    'Choose one of the names in the message.',
  ],
  ANSWER_INVALID: ['The text is not an answer to the question.', 'Answer with one of the choices.'],
  ANSWER_VOID: [
    'The files changed after the question was asked, so the answer did not count.',
    'Look at the files again, then answer again.',
  ],
  APPROVAL_BY_PERSON: [
    'An agent or a program tried to decide what only a person may decide.',
    'Run the command in the message yourself.',
  ],
  APPROVAL_VOID: [
    'The files changed after a person approved them, so they were not delivered.',
    'Look at the changes with `troupe diff`, then deliver them with `troupe deliver RUN --apply`.',
  ],
  CANCELLED: ['A person cancelled the run.', 'Start it again, or fork it at an earlier step.'],
  CONFIRM_NEEDED: ['The command needs a confirmation and cannot ask for it here.', 'Add `--yes`.'],
  DEFINITION_MISFIT: [
    'The run cannot continue with the changed workflow file.',
    'Resume it with `--definition started`, or roll it back to a step that both versions have.',
  ],
  DEFINITION_UNUSABLE: [
    'The changed workflow file has errors, so the run cannot continue with it.',
    'Correct the file, or resume the run with `--definition started`.',
  ],
  DETACH_FAILED: [
    'The background process ended before the run had started.',
    'Read the message, then start the run without `--detach`.',
  ],
  FORK_AT_END: ['The run had already ended at the step where the fork should start.', 'Fork it at an earlier step.'],
  INTERRUPTED: ['A person stopped the check of the merged files.', 'Deliver the result again.'],
  LIMIT_NOT_RAISED: [
    'The new limit is not higher than the present one.',
    'Give a higher limit, or none to keep the present one.',
  ],
  LIMIT_REACHED: ['The run is paused at one of its limits.', 'Resume it with a higher limit, or answer its question.'],
  MAX_DURATION: [
    'The run worked longer than its limit on time allows.',
    'Resume it with a higher `--max-duration`, or answer its question.',
  ],
  MAX_ITERATIONS: [
    'The run or a stage was repeated more often than its limit allows.',
    'Resume it with a higher `--max-iterations`, or answer its question.',
  ],
  MAX_TOKENS: [
    'The run used more tokens than its limit allows.',
    'Resume it with a higher `--max-tokens`, or answer its question.',
  ],
  MAX_TOOL_ROUNDS: [
    'An agent called tools in more rounds than its limit allows.',
    'Resume the run with a higher `--max-tool-rounds`, or answer its question.',
  ],
  MAX_USD: ['The run cost more than its limit allows.', 'Resume it with a higher `--max-usd`, or answer its question.'],
  NOT_IN_CONFLICT: [
    'A choice was given for a file that is not in conflict.',
    'Give choices only for the files in conflict.',
  ],
  NOT_TAKEN: [
    'The process that drives the run has not read the message yet.',
    'Wait: the message is kept until that process reads it.',
  ],
  QUESTION_AMBIGUOUS: ['The run asks several questions.', 'Name the question that you answer.'],
  QUESTION_CLOSED: [
    'The question was already answered, or the run does not ask it now.',
    'See the open questions with `troupe show RUN`.',
  ],
  RECORD_UNKNOWN: ['The run has no record with this number.', 'Ask for a record that the run has.'],
  RESULT_DELIVERED: [
    'The result is already in the project.',
    'Undo it with git or with `troupe rollback RUN --files`.',
  ],
  RESULT_DISCARDED: ['A person discarded the result.', 'Undo the discard first with `troupe discard RUN --undo`.'],
  RESULT_IN_CONFLICT: [
    'The files of the result have open conflicts, so they were not delivered.',
    'Settle the conflicts in the workspace, or deliver both sides to a branch.',
  ],
  RESULT_NONE: ['The run changed no files, so it has no result.', 'Hide the run from lists with `troupe archive RUN`.'],
  RESULT_NOT_DISCARDED: [
    'The result is not discarded, so there is no discard to undo.',
    'See its state with `troupe show RUN`.',
  ],
  RESULT_NOT_VERIFIED: [
    'A check or the workflow refused the files, so they were not delivered.',
    'Read the output of the check, then fix the files or deliver them as not verified.',
  ],
  RUN_AMBIGUOUS: ['Several runs have an id that begins like this.', 'Write more of the id.'],
  RUN_ARCHIVED: ['The run is already archived.', 'Show it in lists again with `troupe archive RUN --undo`.'],
  RUN_BUSY: ['Another process drives the run.', 'Wait until that process ends, or stop it.'],
  RUN_ELSEWHERE: ['The run belongs to another project.', 'Open that project.'],
  RUN_EXISTS: ['A run with this id already exists.', 'Choose another id.'],
  RUN_ID_INVALID: ['The id cannot be that of a run with its own files.', 'Use the id of the root run.'],
  RUN_IS_CHILD: ['The run is part of another run.', 'Name the run at the top.'],
  RUN_NOT_ARCHIVED: ['The run is not archived.', 'See it with `troupe list`.'],
  RUN_NOT_DRIVEN: ['No process drives the run now.', 'Resume it with `troupe resume RUN`.'],
  RUN_OPEN: ['The run has not ended yet.', 'Wait for its end with `troupe watch RUN`, or cancel it.'],
  RUN_SETTLED: ['The run has already ended.', 'Fork it or start a new one to continue the work.'],
  RUN_SHORTER: ['The run has fewer records than the page had seen.', 'Reload the page.'],
  RUN_TOO_LONG: [
    'The run reached the largest number of records that a run can have.',
    'Split the work into child runs.',
  ],
  RUN_UNKNOWN: ['No run has this id.', 'See the runs with `troupe list --all`.'],
  RUN_WAITS: ['The run waits for an answer of a person.', 'Answer it with the command in the message.'],
  STEP_UNKNOWN: ['The run has no such step.', 'Choose one of the steps in the message.'],
  STOPPED: ['A person ended the run at a limit.', 'Start it again with a higher limit.'],
  TASK_UNKNOWN: ['No output is kept for this turn of the run.', 'Choose one of the turns in the message.'],
  TIMEOUT: [
    'The state took longer than its timeout.',
    'Raise the timeout of the state, or handle the outcome `timeout` in the workflow.',
  ],
};
