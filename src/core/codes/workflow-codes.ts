import type { CodeEntry } from './code-entry.ts';

/** Workflows, their inputs, scripts, pools and merges. */
export const WORKFLOW_CODES = {
  ASSETS_DAMAGED: {
    meaning: 'The workflows and roles that come with Troupe have errors.',
    advice: 'Install Troupe again.',
    status: 500,
  },
  ASSETS_MISSING: {
    meaning: 'The workflows and roles that come with Troupe were not found.',
    advice: 'Install Troupe again.',
    status: 404,
  },
  CASE_UNKNOWN: { meaning: 'A switch has no case for the value it got.', advice: 'Add the case, or a default.' },
  CHAT_INVALID: {
    meaning: 'The roles of the project cannot be used in a chat.',
    advice: 'Correct the problems in the message.',
  },
  CONFIG_INVALID: { meaning: 'The configuration file has errors.', advice: 'Correct the problems in the message.' },
  ENDED_BY_WORKFLOW: {
    meaning: 'The workflow ended the run with a failure.',
    advice: 'Read the message: the author of the workflow wrote it.',
  },
  INPUT_EMPTY: { meaning: 'A required input is empty.', advice: 'Give it a value.' },
  INPUT_INVALID: { meaning: 'The input does not fit the workflow.', advice: 'Correct the problems in the message.' },
  INPUT_MISSING: {
    meaning: 'A required input was not given.',
    advice: 'Set the variable that it reads before this state.',
  },
  INPUT_TYPE: { meaning: 'An input has the wrong type.', advice: 'Give a value of the type in the message.' },
  INPUT_UNDEFINED: {
    meaning: 'The input of a state evaluated to nothing.',
    advice: 'Set the variable that it reads, or give a default with `||`.',
  },
  ISOLATE_CLOSED: { meaning: 'The sandbox for scripts was closed before the script ended.', advice: 'Resume the run.' },
  ISOLATE_LOST: {
    meaning: 'The sandbox for scripts crashed.',
    advice: 'Resume the run, and simplify the script if it happens again.',
  },
  ITEMS_NOT_A_LIST: {
    meaning: 'The items of a pool are not a list.',
    advice: 'Give the pool an expression that evaluates to a list.',
  },
  JOIN_FAILED: {
    meaning: 'Too few units of the pool came out well.',
    advice: 'Read why the units failed, then resume or change the join.',
  },
  MERGE_CONFLICT: {
    meaning: 'Two agents changed the same lines.',
    advice: 'Let the author settle the conflict, then merge again.',
  },
  MERGE_NOT_FIXED: {
    meaning: 'The author had to fix its work and changed no file.',
    advice: 'Fix the files yourself, or give the task to another agent.',
  },
  MERGE_NOT_VERIFIED: {
    meaning: 'The merged files did not pass a check.',
    advice: 'Read the output of the check, and let the author fix the files.',
  },
  MERGE_NO_PARENT: {
    meaning: 'The run has no parent to merge into.',
    advice: 'Start the workflow that calls this one.',
  },
  MERGE_UNRESOLVED: { meaning: 'Files still have conflict markers.', advice: 'Settle them, then merge again.' },
  MODEL_NOT_A_NAME: {
    meaning: 'The model of an agent evaluated to something that is not a name.',
    advice: 'Give an expression that evaluates to the name of a model.',
  },
  MODULE_FAILED: {
    meaning: 'The module of a workflow failed while it was loaded.',
    advice: 'Read its error in the message.',
  },
  MODULE_GONE: {
    meaning: 'The module of the workflow is not as it was when the run began.',
    advice: 'Restore the file, or resume the run with `--definition new`.',
    status: 404,
    pausesRun: true,
  },
  NOT_NEEDED: { meaning: 'The pool was decided without this unit.', advice: 'Nothing needs to be done.' },
  NO_CHANGES: {
    meaning: 'The agent had to change files and changed none.',
    advice: 'Read what it said instead with `troupe logs RUN`.',
  },
  NO_TRANSITION: {
    meaning: 'No transition of the state matched.',
    advice: 'Add a last transition with the condition `true`.',
  },
  OUTPUT_INVALID: {
    meaning: 'The output does not fit its schema or is too large.',
    advice: 'Correct the end of the workflow, or its schema.',
  },
  OUTPUT_MISSING: {
    meaning: 'A file that the agent owes does not exist.',
    advice: 'Let the agent write it, or correct the path in the workflow.',
  },
  OUTPUT_OUTSIDE: {
    meaning: 'A file that the agent owes lies outside of the project.',
    advice: 'Give a path below the project.',
  },
  OUTPUT_TOO_MANY: {
    meaning: 'More files match an output than it may have.',
    advice: 'Make the pattern of the output narrower.',
  },
  PROGRAM_INPUT: {
    meaning: 'A program of the engine cannot use its input.',
    advice: 'Use the version of Troupe that the workflow was written for.',
  },
  PROGRAM_UNKNOWN: {
    meaning: 'The workflow asks for a program that does not exist here.',
    advice: 'Resume the run where its module can be loaded.',
    status: 404,
  },
  ROLES_INVALID: { meaning: 'The roles of the project have errors.', advice: 'Correct the problems in the message.' },
  ROLE_UNKNOWN: {
    meaning: 'No role or agent type has this name.',
    advice: 'See them with `troupe prompt list`.',
    status: 404,
  },
  SCENARIO_INVALID: {
    meaning: 'The file with scripted replies has errors.',
    advice: 'Correct the problems in the message.',
  },
  SCHEMA_INVALID: {
    meaning: 'The JSON Schema cannot be used.',
    advice: 'Use a schema with type `object`, `properties` and `required`.',
  },
  SCHEMA_UNKNOWN: {
    meaning: 'No schema has this name.',
    advice: 'Choose one of the names in the message.',
    status: 404,
  },
  SCHEMA_UNUSABLE: { meaning: 'A schema cannot be written as JSON Schema.', advice: 'Use types that JSON has.' },
  SCRIPT_FAILED: {
    meaning: 'A script or an expression of the workflow failed.',
    advice: 'Correct it at the place in the message.',
  },
  SCRIPT_FUEL: { meaning: 'A script took more steps than it may.', advice: 'Look for a loop that never ends.' },
  SCRIPT_INPUT_TOO_LARGE: {
    meaning: 'A script would read more data than it may.',
    advice: 'Keep less data in the run.',
  },
  SCRIPT_MEMORY: { meaning: 'A script used more memory than it may.', advice: 'Let it build smaller values.' },
  SCRIPT_RESULT_TOO_LARGE: { meaning: 'The result of a script is larger than it may be.', advice: 'Return less data.' },
  SCRIPT_TIMEOUT: { meaning: 'A script did not end in time.', advice: 'Look for a loop that never ends.' },
  STATE_UNKNOWN: { meaning: 'The workflow has no state with this name.', advice: 'Correct the name of the state.' },
  TIMEOUT_NOT_A_NUMBER: {
    meaning: 'A timeout evaluated to something that is not a number.',
    advice: 'Give a number of milliseconds.',
  },
  TOO_MANY_UNITS: {
    meaning: 'The pool would have more units than it may.',
    advice: 'Split the work into several pools.',
  },
  UNITS_REFUSED: {
    meaning: 'The pool took none of the new units.',
    advice: 'Give each unit its own id while the pool is open.',
  },
  UNIT_CYCLE: { meaning: 'Units of the pool wait for each other.', advice: 'Remove one of the dependencies.' },
  UNIT_NAME: { meaning: 'The text cannot be the id of a unit.', advice: 'Choose another id.' },
  UNIT_NOT_DONE: { meaning: 'A unit of a pool did not come out well.', advice: 'Read its reason in the message.' },
  UNIT_TWICE: { meaning: 'Two units of the pool have the same id.', advice: 'Give each its own id.' },
  UNIT_UNKNOWN: { meaning: 'No unit of the pool has this id.', advice: 'Correct the id.', status: 404 },
  WAIT_NOT_A_NUMBER: {
    meaning: 'A wait evaluated to something that is not a number.',
    advice: 'Give a number of milliseconds.',
  },
  WORKFLOW_DIFFERS: {
    meaning: 'The run was started with another workflow.',
    advice: 'Pass the workflow that it was started with, or none.',
  },
  WORKFLOW_INVALID: {
    meaning: 'The workflow file has errors.',
    advice: 'Correct the problems that `troupe check FILE` shows.',
  },
  WORKFLOW_IS_PART: {
    meaning: 'The workflow merges into the run that starts it, so it cannot run alone.',
    advice: 'Start the workflow that calls it.',
  },
  WORKFLOW_TWICE: {
    meaning: 'A workflow with this name is already registered.',
    advice: 'Choose another name for one of the two.',
    status: 409,
  },
  WORKFLOW_UNKNOWN: { meaning: 'No workflow has this name.', advice: 'See them with `troupe workflows`.', status: 404 },
} as const satisfies Readonly<Record<string, CodeEntry>>;
