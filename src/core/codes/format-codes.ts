import type { CodeEntry } from './code-entry.ts';

/** Stages, phases, quests, reviews and the shipped patterns. */
export const FORMAT_CODES = {
  AGENT_ERROR: { meaning: 'The agent of a stage failed.', advice: 'Read its failure with `troupe logs RUN`.' },
  BAD_STAGE_WORKFLOW: { meaning: 'The stage workflow has errors.', advice: 'Correct the problems in the message.' },
  CONDITION_TWICE: {
    meaning: 'A condition with this name is already registered.',
    advice: 'Choose another name for one of the two.',
    status: 409,
  },
  CRITERIA_FAILED: {
    meaning: 'The work of a phase does not meet its criteria.',
    advice: 'Read the failed criteria in the message, and correct the work or the criteria.',
  },
  FIX_ROUNDS_USED: {
    meaning: 'The work still had problems after the last round of fixes.',
    advice: 'Read the remaining problems, and raise the number of rounds or fix them yourself.',
  },
  GUARD_REFUSED: { meaning: 'The guard of a stage did not let it start.', advice: 'Read the reason in the message.' },
  HYBRID_CONFLICT: {
    meaning: 'A part chosen from one implementation conflicts with the parts before it.',
    advice: 'Choose other parts, or one whole implementation.',
  },
  HYBRID_TAMPERED: {
    meaning: 'The chosen parts change the files that the checking command is made of.',
    advice: 'Choose parts that leave those files as they are.',
  },
  HYBRID_UNMATCHED: {
    meaning: 'The implementation did not change a file that was chosen from it.',
    advice: 'Choose files that the implementation changed.',
  },
  IMPLEMENTATION_UNKNOWN: {
    meaning: 'The run has no implementation with this name.',
    advice: 'Choose one of the names in the message.',
    status: 404,
  },
  INPUT_REFUSED: {
    meaning: 'A stage does not accept the message it was sent.',
    advice: 'Send it a message of a type that it accepts.',
  },
  INVALID_OUTPUT: {
    meaning: 'The agent of a stage handed in an output that does not fit.',
    advice: 'Read what is wrong with it in `troupe logs RUN`.',
  },
  MERGE_NOT_SETTLED: {
    meaning: 'The conflicts of a step were not settled in three tries.',
    advice: 'Settle them in the workspace, then resume the run.',
  },
  MESSAGE_TWICE: {
    meaning: 'A stage workflow got the same message twice and ignored the second.',
    advice: 'Send each message once.',
  },
  NOTHING_DONE: {
    meaning: 'No step of the quest came out well.',
    advice: 'Read why the steps failed with `troupe show RUN`.',
  },
  NOT_TRIGGERED: {
    meaning: 'A stage got a message that does not make it run again.',
    advice: 'Send the type of message that its trigger names.',
  },
  NOT_VERIFIED: {
    meaning: 'The work did not pass the command that checks it.',
    advice: 'Read the output of the command, then start again or fix the files.',
  },
  NO_CANDIDATES: { meaning: 'The list of models is empty.', advice: 'Give at least one model.' },
  NO_NEXT_STAGE: {
    meaning: 'No stage follows, and the workflow is not complete.',
    advice: 'Add a transition to the stage.',
  },
  NO_WINNER: { meaning: 'The judge chose no candidate.', advice: 'Read its reason in the message.' },
  PLAN_INVALID: {
    meaning: 'The plan of a phase does not have the required form.',
    advice: 'Read what is wrong in the message.',
  },
  QUEST_PARTIAL: {
    meaning: 'Some steps of the quest are not done.',
    advice: 'Read which in the message, and start a quest for the rest.',
  },
  QUEST_UNKNOWN: { meaning: 'The run is not a quest.', advice: 'See it with `troupe show RUN`.', status: 404 },
  QUORUM_MISSED: { meaning: 'Too few agents voted.', advice: 'Read why the others did not, or lower the quorum.' },
  REJECTED: { meaning: 'A reviewer rejected the work of a stage.', advice: 'Read its reasons in the message.' },
  REPORT_INVALID: {
    meaning: 'The report of a phase does not have the required form.',
    advice: 'Read what is wrong in the message.',
  },
  RESULT_NOT_SUCCESSFUL: {
    meaning: 'The workflow ended, and its own result says that it did not succeed.',
    advice: 'Read its summary in the message.',
  },
  REVIEW_NONE: { meaning: 'The run is not a review.', advice: 'Choose a run that has reviewers.', status: 404 },
  REVISIONS_USED: {
    meaning: 'The reviewers still found problems after the last revision.',
    advice: 'Read the open findings, and fix them or start another review.',
  },
  STAGES_OUT_OF_ORDER: {
    meaning: 'A stage workflow got an event that cannot come now.',
    advice: 'Start the run with one `started` event.',
  },
  STAGE_CODE_FAILED: {
    meaning: 'A function of the stage workflow failed.',
    advice: 'Correct it at the place in the message.',
  },
  STAGE_MISMATCH: {
    meaning: 'A transition says that it leaves another stage than the one that sent the message.',
    advice: 'Correct `from` in the transition.',
  },
  STATE_NOT_KEPT: {
    meaning: 'The state of a stage workflow holds a value that cannot be stored.',
    advice: 'Keep plain values, lists, objects, Maps, Sets and dates in it.',
    status: 404,
  },
  TAMPERED: {
    meaning: 'The agent changed the files that the checking command is made of while it settled a conflict.',
    advice: 'See what it made with `troupe diff RUN --agent NAME`, then answer the question of the run.',
  },
  TEMPLATE_EMPTY: {
    meaning: 'A template of a phase reads a value that nothing has set.',
    advice: 'Set the value before the phase.',
  },
  UNEXPECTED_MESSAGE: {
    meaning: 'A stage that is not running sent a message or failed.',
    advice: 'Correct the routing of the workflow.',
  },
  UNKNOWN_CONDITION: {
    meaning: 'No condition with this name is registered.',
    advice: 'Register it, or correct the name.',
  },
  UNKNOWN_ROLE: {
    meaning: 'A stage workflow names a role that it does not have.',
    advice: 'Correct the name of the role.',
  },
  UNKNOWN_STAGE: {
    meaning: 'A stage workflow names a stage that it does not have.',
    advice: 'Correct the name of the stage.',
  },
  VERIFY_MISSING: {
    meaning: 'The workflow needs a command that checks the work.',
    advice: 'Give it with `--input verify="COMMAND"`.',
  },
  VERIFY_UNUSABLE: {
    meaning: 'The command that checks the work cannot be run.',
    advice: 'Install what is missing, or give another command with `--input verify="COMMAND"`.',
  },
  WARD_RED: {
    meaning: 'Ward still fails after three fixes.',
    advice: 'Read its output in the message, and fix the step yourself.',
  },
  WARD_UNUSABLE: {
    meaning: 'A command of Ward cannot be run.',
    advice: 'Install what is missing, or name other commands.',
  },
  WORKFLOW_NOT_STAGES: { meaning: 'The workflow is not a stage workflow.', advice: 'Start it with `troupe run`.' },
} as const satisfies Readonly<Record<string, CodeEntry>>;
