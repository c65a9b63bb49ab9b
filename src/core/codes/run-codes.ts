import type { CodeEntry } from './code-entry.ts';

/** Runs, their results, limits and questions. */
export const RUN_CODES = {
  AGENT_AMBIGUOUS: {
    meaning: 'Several agents of the run have this name.',
    advice: 'Name the workspace or the run that the agent belongs to.',
    status: 409,
  },
  AGENT_UNKNOWN: {
    meaning: 'The run or the workflow has no agent and no role with this name.',
    advice: 'Choose one of the names in the message.',
    status: 404,
  },
  ANSWER_INVALID: { meaning: 'The text is not an answer to the question.', advice: 'Answer with one of the choices.' },
  ANSWER_VOID: {
    meaning: 'The files changed after the question was asked, so the answer did not count.',
    advice: 'Look at the files again, then answer again.',
    status: 409,
  },
  APPROVAL_BY_PERSON: {
    meaning: 'An agent or a program tried to decide what only a person may decide.',
    advice: 'Run the command in the message yourself.',
  },
  APPROVAL_VOID: {
    meaning: 'The files changed after a person approved them, so they were not delivered.',
    advice: 'Look at the changes with `troupe diff`, then deliver them with `troupe deliver RUN --apply`.',
  },
  CANCELLED: { meaning: 'A person cancelled the run.', advice: 'Start it again, or fork it at an earlier step.' },
  CONFIRM_NEEDED: {
    meaning: 'The command needs a confirmation and cannot ask for it here.',
    advice: 'Add `--yes`.',
    status: 409,
  },
  DEFINITION_MISFIT: {
    meaning: 'The run cannot continue with the changed workflow file.',
    advice: 'Resume it with `--definition started`, or roll it back to a step that both versions have.',
    status: 409,
  },
  DEFINITION_UNUSABLE: {
    meaning: 'The changed workflow file has errors, so the run cannot continue with it.',
    advice: 'Correct the file, or resume the run with `--definition started`.',
    status: 409,
  },
  DETACH_FAILED: {
    meaning: 'The background process ended before the run had started.',
    advice: 'Read the message, then start the run without `--detach`.',
    status: 500,
  },
  FORK_AT_END: {
    meaning: 'The run had already ended at the step where the fork should start.',
    advice: 'Fork it at an earlier step.',
    status: 409,
  },
  INTERRUPTED: { meaning: 'A person stopped the check of the merged files.', advice: 'Deliver the result again.' },
  LIMIT_NOT_RAISED: {
    meaning: 'The new limit is not higher than the present one.',
    advice: 'Give a higher limit, or none to keep the present one.',
  },
  LIMIT_REACHED: {
    meaning: 'The run is paused at one of its limits.',
    advice: 'Resume it with a higher limit, or answer its question.',
    status: 409,
    exit: 'stopped',
  },
  MAX_DURATION: {
    meaning: 'The run worked longer than its limit on time allows.',
    advice: 'Resume it with a higher `--max-duration`, or answer its question.',
  },
  MAX_ITERATIONS: {
    meaning: 'The run or a stage was repeated more often than its limit allows.',
    advice: 'Resume it with a higher `--max-iterations`, or answer its question.',
  },
  MAX_TOKENS: {
    meaning: 'The run used more tokens than its limit allows.',
    advice: 'Resume it with a higher `--max-tokens`, or answer its question.',
  },
  MAX_TOOL_ROUNDS: {
    meaning: 'An agent called tools in more rounds than its limit allows.',
    advice: 'Resume the run with a higher `--max-tool-rounds`, or answer its question.',
  },
  MAX_USD: {
    meaning: 'The run cost more than its limit allows.',
    advice: 'Resume it with a higher `--max-usd`, or answer its question.',
  },
  NOT_IN_CONFLICT: {
    meaning: 'A choice was given for a file that is not in conflict.',
    advice: 'Give choices only for the files in conflict.',
    status: 409,
  },
  NOT_TAKEN: {
    meaning: 'The process that drives the run has not read the message yet.',
    advice: 'Wait: the message is kept until that process reads it.',
    status: 409,
  },
  QUESTION_AMBIGUOUS: {
    meaning: 'The run asks several questions.',
    advice: 'Name the question that you answer.',
    status: 409,
  },
  QUESTION_CLOSED: {
    meaning: 'The question was already answered, or the run does not ask it now.',
    advice: 'See the open questions with `troupe show RUN`.',
    status: 409,
  },
  RECORD_UNKNOWN: {
    meaning: 'The run has no record with this number.',
    advice: 'Ask for a record that the run has.',
    status: 404,
  },
  RESULT_DELIVERED: {
    meaning: 'The result is already in the project.',
    advice: 'Undo it with git or with `troupe rollback RUN --files`.',
    status: 409,
  },
  RESULT_DISCARDED: {
    meaning: 'A person discarded the result.',
    advice: 'Undo the discard first with `troupe discard RUN --undo`.',
    status: 409,
  },
  RESULT_IN_CONFLICT: {
    meaning: 'The files of the result have open conflicts, so they were not delivered.',
    advice: 'Settle the conflicts in the workspace, or deliver both sides to a branch.',
    status: 409,
    exit: 'waits',
  },
  RESULT_NONE: {
    meaning: 'The run changed no files, so it has no result.',
    advice: 'Hide the run from lists with `troupe archive RUN`.',
    status: 409,
  },
  RESULT_NOT_DISCARDED: {
    meaning: 'The result is not discarded, so there is no discard to undo.',
    advice: 'See its state with `troupe show RUN`.',
    status: 409,
  },
  RESULT_NOT_VERIFIED: {
    meaning: 'A check or the workflow refused the files, so they were not delivered.',
    advice: 'Read the output of the check, then fix the files or deliver them as not verified.',
    exit: 'waits',
  },
  RUN_AMBIGUOUS: {
    meaning: 'Several runs have an id that begins like this.',
    advice: 'Write more of the id.',
    status: 409,
  },
  RUN_ARCHIVED: {
    meaning: 'The run is already archived.',
    advice: 'Show it in lists again with `troupe archive RUN --undo`.',
    status: 409,
  },
  RUN_BUSY: {
    meaning: 'Another process drives the run.',
    advice: 'Wait until that process ends, or stop it.',
    status: 409,
    exit: 'failed',
    endsDriving: true,
  },
  RUN_ELSEWHERE: { meaning: 'The run belongs to another project.', advice: 'Open that project.' },
  RUN_EXISTS: { meaning: 'A run with this id already exists.', advice: 'Choose another id.', status: 409 },
  RUN_ID_INVALID: {
    meaning: 'The id cannot be that of a run with its own files.',
    advice: 'Use the id of the root run.',
  },
  RUN_IS_CHILD: { meaning: 'The run is part of another run.', advice: 'Name the run at the top.', status: 409 },
  RUN_NOT_ARCHIVED: { meaning: 'The run is not archived.', advice: 'See it with `troupe list`.', status: 409 },
  RUN_NOT_DRIVEN: {
    meaning: 'No process drives the run now.',
    advice: 'Resume it with `troupe resume RUN`.',
    status: 409,
  },
  RUN_OPEN: {
    meaning: 'The run has not ended yet.',
    advice: 'Wait for its end with `troupe watch RUN`, or cancel it.',
    status: 409,
  },
  RUN_SETTLED: {
    meaning: 'The run has already ended.',
    advice: 'Fork it or start a new one to continue the work.',
    status: 409,
  },
  RUN_SHORTER: { meaning: 'The run has fewer records than the page had seen.', advice: 'Reload the page.' },
  RUN_TOO_LONG: {
    meaning: 'The run reached the largest number of records that a run can have.',
    advice: 'Split the work into child runs.',
  },
  RUN_UNKNOWN: { meaning: 'No run has this id.', advice: 'See the runs with `troupe list --all`.', status: 404 },
  RUN_WAITS: {
    meaning: 'The run waits for an answer of a person.',
    advice: 'Answer it with the command in the message.',
    status: 409,
    exit: 'waits',
  },
  STEP_UNKNOWN: {
    meaning: 'The run has no such step.',
    advice: 'Choose one of the steps in the message.',
    status: 404,
  },
  STOPPED: { meaning: 'A person ended the run at a limit.', advice: 'Start it again with a higher limit.' },
  TASK_UNKNOWN: {
    meaning: 'No output is kept for this turn of the run.',
    advice: 'Choose one of the turns in the message.',
    status: 404,
  },
  TIMEOUT: {
    meaning: 'The state took longer than its timeout.',
    advice: 'Raise the timeout of the state, or handle the outcome `timeout` in the workflow.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
