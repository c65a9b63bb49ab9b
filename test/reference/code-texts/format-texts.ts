import type { FORMAT_CODES } from '../../../src/core/codes/format-codes.ts';
import type { CodeTexts } from './code-texts.ts';

/** Stages, phases, quests, reviews and the shipped patterns. */
export const FORMAT_TEXTS: CodeTexts<typeof FORMAT_CODES> = {
  AGENT_ERROR: ['The agent of a stage failed.', 'Read its failure with `troupe logs RUN`.'],
  BAD_PLAN: [
    'A plan of a quest, or the split of a step, cannot be carried out, and was not corrected.',
    'Read the problems in the message, and see what was handed in: `troupe logs last --agent ROLE`.',
  ],
  BAD_STAGE_WORKFLOW: ['The stage workflow has errors.', 'Correct the problems in the message.'],
  CONDITION_DUPLICATE: ['A condition with this name is already registered.', 'Choose another name for one of the two.'],
  CRITERIA_FAILED: [
    'The work of a phase does not meet its criteria.',
    'Read the failed criteria in the message, and correct the work or the criteria.',
  ],
  FIX_ROUNDS_USED: [
    'The work still had problems after the last round of fixes.',
    'Read the remaining problems, and raise the number of rounds or fix them yourself.',
  ],
  FOLLOWUP_CYCLE: [
    'Roles of a step wait for each other.',
    'Read the chain in the message, and change what the roles may ask for.',
  ],
  FOLLOWUP_DEPTH: [
    'A step has too many followups of followups.',
    'Read the chain in the message, or raise `followups` in the limits of the quest file.',
  ],
  FOLLOWUP_UNKNOWN: [
    'A signal asks for a role that takes no part in a step.',
    'Add the role to `step` in the quest file, or take it out of the `followups` of the role that asks.',
  ],
  GUARD_REFUSED: ['The guard of a stage did not let it start.', 'Read the reason in the message.'],
  HYBRID_CONFLICT: [
    'A part chosen from one implementation conflicts with the parts before it.',
    'Choose other parts, or one whole implementation.',
  ],
  HYBRID_TAMPERED: [
    'The chosen parts change the files that the checking command is made of.',
    'Choose parts that leave those files as they are.',
  ],
  HYBRID_UNMATCHED: [
    'The implementation did not change a file that was chosen from it.',
    'Choose files that the implementation changed.',
  ],
  IMPLEMENTATION_UNKNOWN: ['The run has no implementation with this name.', 'Choose one of the names in the message.'],
  INPUT_REFUSED: ['A stage does not accept the message it was sent.', 'Send it a message of a type that it accepts.'],
  INVALID_OUTPUT: [
    'The agent of a stage handed in an output that does not fit.',
    'Read what is wrong with it in `troupe logs RUN`.',
  ],
  MERGE_NOT_SETTLED: [
    'The conflicts of a step were not settled in three tries.',
    'Settle them in the workspace, then resume the run.',
  ],
  MESSAGE_DUPLICATE: ['A stage workflow got the same message twice and ignored the second.', 'Send each message once.'],
  NOTHING_DONE: ['No step of the quest came out well.', 'Read why the steps failed with `troupe show RUN`.'],
  NOT_TRIGGERED: [
    'A stage got a message that does not make it run again.',
    'Send the type of message that its trigger names.',
  ],
  NOT_VERIFIED: [
    'The work did not pass the command that checks it.',
    'Read the output of the command, then start again or fix the files.',
  ],
  NO_CANDIDATES: ['The list of models is empty.', 'Give at least one model.'],
  NO_NEXT_STAGE: ['No stage follows, and the workflow is not complete.', 'Add a transition to the stage.'],
  NO_PLAN: [
    'The planning role of a quest handed in no plan.',
    'See what it handed in: `troupe logs last --agent ROLE`.',
  ],
  NO_REQUIREMENTS: [
    'The first role of a quest handed in no requirements.',
    'See what it handed in: `troupe logs last --agent ROLE`.',
  ],
  NO_WINNER: ['The judge chose no candidate.', 'Read its reason in the message.'],
  PHASE_FAILED: [
    'A phase failed, and the run with it.',
    'Read why in the message, correct it, and start the run again.',
  ],
  PHASE_PARTIAL: [
    'A phase is not finished; what the others made is kept.',
    'Read what is left in the message, and finish it yourself or start the run again.',
  ],
  PLAN_INVALID: ['The plan of a phase does not have the required form.', 'Read what is wrong in the message.'],
  QUEST_PARTIAL: [
    'Some steps of the quest are not done.',
    'Read which in the message, and start a quest for the rest.',
  ],
  QUEST_UNKNOWN: ['The run is not a quest.', 'See it with `troupe show RUN`.'],
  QUORUM_MISSED: ['Too few agents voted.', 'Read why the others did not, or lower the quorum.'],
  REJECTED: ['A reviewer rejected the work of a stage.', 'Read its reasons in the message.'],
  REPORT_INVALID: ['The report of a phase does not have the required form.', 'Read what is wrong in the message.'],
  RESULT_NOT_SUCCESSFUL: [
    'The workflow ended, and its own result says that it did not succeed.',
    'Read its summary in the message.',
  ],
  REVIEW_NONE: ['The run is not a review.', 'Choose a run that has reviewers.'],
  REVISIONS_USED: [
    'The reviewers still found problems after the last revision.',
    'Read the open findings, and fix them or start another review.',
  ],
  SIGNAL_UNROUTED: [
    'The quest file has no route for a signal that a role may send.',
    'Add the route to the role in the quest file, or take the signal out of the `signals` of the role.',
  ],
  STAGES_OUT_OF_ORDER: [
    'A stage workflow got an event that cannot come now.',
    'Start the run with one `started` event.',
  ],
  STAGE_CODE_FAILED: ['A function of the stage workflow failed.', 'Correct it at the place in the message.'],
  STAGE_MISMATCH: [
    'A transition says that it leaves another stage than the one that sent the message.',
    'Correct `from` in the transition.',
  ],
  STATE_NOT_KEPT: [
    'The state of a stage workflow holds a value that cannot be stored.',
    'Keep plain values, lists, objects, Maps, Sets and dates in it.',
  ],
  TAMPERED: [
    'The agent changed the files that the checking command is made of while it settled a conflict.',
    'See what it made with `troupe diff RUN --agent NAME`, then answer the question of the run.',
  ],
  TEMPLATE_EMPTY: ['A template of a phase reads a value that nothing has set.', 'Set the value before the phase.'],
  UNEXPECTED_MESSAGE: ['A stage that is not running sent a message or failed.', 'Correct the routing of the workflow.'],
  UNKNOWN_CONDITION: ['No condition with this name is registered.', 'Register it, or correct the name.'],
  UNKNOWN_ROLE: ['A stage workflow names a role that it does not have.', 'Correct the name of the role.'],
  UNKNOWN_STAGE: ['A stage workflow names a stage that it does not have.', 'Correct the name of the stage.'],
  VERIFY_MISSING: ['The workflow needs a command that checks the work.', 'Give it with `--input verify="COMMAND"`.'],
  VERIFY_UNUSABLE: [
    'The command that checks the work cannot be run.',
    'Install what is missing, or give another command with `--input verify="COMMAND"`.',
  ],
  WARD_RED: ['Ward still fails after all fixes.', 'Read its output in the message, and fix the step yourself.'],
  WARD_UNUSABLE: ['A command of Ward cannot be run.', 'Install what is missing, or name other commands.'],
  WORKFLOW_NOT_STAGES: ['The workflow is not a stage workflow.', 'Start it with `troupe run`.'],
};
