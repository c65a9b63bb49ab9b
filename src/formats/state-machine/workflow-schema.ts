import * as z from 'zod/mini';
import { OUTCOMES } from '../../core/model/outcome.ts';
import {
  aboveZero,
  describe,
  flagSchema,
  freeText,
  holdsList,
  labelsKey,
  nameText,
  oneWordOf,
  openRecord,
  optionalKey,
  optionalKeys,
  wholeNumber,
} from '../../source/schema-parts.ts';
import { actionSchema, codeText, scriptText } from './action-schema.ts';

/** The format of state-machine workflow files (SM1). Types, checks and the editors' JSON Schema all come from here. */

const parameterSchema = z.strictObject({
  name: nameText.check(describe('The key in common_data that holds the value.')),
  type: oneWordOf(['string', 'number', 'boolean', 'object', 'array']).check(describe('What kind of value it is.')),
  description: optionalKey(freeText, 'What the value is for.'),
});

const inputSchema = z.extend(parameterSchema, {
  required: optionalKey(flagSchema, 'false: it may be left out, and the variable of its name is used then.'),
});

const messageSchema = z.strictObject({
  role: oneWordOf(['system', 'user', 'assistant']),
  content: freeText,
});

export const contextSchema = z.strictObject({
  name: nameText.check(describe('The name that agents and scripts use.')),
  starting_messages: optionalKey(z.array(messageSchema), 'What stands in the conversation when the run starts.'),
  max_length: optionalKey(wholeNumber, 'Characters after which the oldest messages are dropped; 50000 by default.'),
});

export const agentSchema = z.strictObject({
  agent_role: nameText.check(describe('A role of the project; also the name states use for the agent.')),
  context: nameText.check(describe('The conversation the agent takes part in.')),
  role: z
    .enum(['assistant', 'user'], { error: 'must be "assistant" or "user"' })
    .check(describe('The side of the conversation it speaks from.')),
  workspace: optionalKey(
    nameText,
    'Where it works: "shared" (the default) with the run, "own" for its own folder, or a name shared by all who give the same.',
  ),
  holds: optionalKey(holdsList, 'Resources that only one may use at a time, held while it uses a tool or a command.'),
  actor: optionalKey(
    nameText,
    'Who plays it instead of whom its role names: claude-code, codex, acp:NAME, or a model of the settings.',
  ),
  model: optionalKey(
    freeText,
    'An expression, read whenever it speaks, that gives who plays it: a model or level of the settings, or a client such as codex. Nothing: as without it.',
  ),
});

const evidenceSchema = z.strictObject({
  files: optionalKey(freeText, 'An expression that gives paths which must exist.'),
  commands: optionalKey(freeText, 'An expression that gives commands which must succeed.'),
});

const changesSchema = z.union(
  [
    z.literal('required'),
    z.strictObject({
      when: optionalKey(freeText, 'An expression: files have to be changed only where it holds.'),
      unless: optionalKey(nameText, 'An argument of the structured reply that states that no change is needed.'),
    }),
  ],
  { error: 'must be "required", or an object with "when", "unless" or both' },
);

const transitionSchema = z
  .strictObject({
    target: nameText.check(describe('The state to go to.')),
    condition: optionalKey(
      z.union([freeText, z.boolean()], { error: 'must be an expression, true or false' }),
      'The first transition whose condition holds is taken. Left out, it always holds.',
    ),
    before: z.optional(scriptText),
    label: optionalKey(freeText, 'What this way means, in a few words: the graph shows it instead of the condition.'),
  })
  .check(z.meta({ id: 'transition', description: 'A way out of a state.' }));

const handlersSchema = optionalKeys(
  OUTCOMES.filter((outcome) => outcome !== 'ok'),
  z.array(transitionSchema),
);

export const stateSchema = z.strictObject({
  name: nameText.check(describe('"start" is entered first; "stop" ends the run.')),
  agent: optionalKey(nameText, 'The agent that speaks, by its agent_role.'),
  agents: optionalKey(
    z.array(nameText).check(z.minLength(1, { error: 'must name at least one agent' })),
    'Several agents that answer at the same time, instead of "agent".',
  ),
  input: z.optional(codeText),
  step: optionalKey(
    freeText,
    'An expression that gives the id of the step the agent speaks for; a signal for another is refused.',
  ),
  evidence: optionalKey(
    evidenceSchema,
    'What the engine looks at itself before it takes the signal "complete" for true.',
  ),
  reply: optionalKey(
    z.union([nameText, z.array(nameText)], { error: 'must be the name of a parsing tool, or a list of names' }),
    'The structured replies that end the turn: parsing tools of the role. Text alone is asked for one of them again, then it is REPLY_OWED. []: text ends the turn. Left out: those that the transitions read, where there is no other way out.',
  ),
  allowed: optionalKey(
    z.record(nameText, codeText),
    'The values that arguments of the reply may have: expressions that give lists, by argument. Another value is sent back once, in the call.',
  ),
  changes: optionalKey(
    changesSchema,
    'The agent has to change files: an answer without a changed one is sent back once, then the state fails with NO_CHANGES.',
  ),
  action: z.optional(actionSchema),
  transition: optionalKey(z.array(transitionSchema), 'Ways out, tried in order.'),
  timeout_s: optionalKey(
    aboveZero,
    'Seconds after which the work of this state is stopped. A command is stopped after half an hour unless this says otherwise.',
  ),
  on_failure: optionalKey(nameText, 'The state to go to when the work failed, timed out, met a quota or crashed.'),
  on: optionalKey(
    handlersSchema,
    'Ways out by outcome, such as "blocked" for a merge in conflict; before those of on_failure.',
  ),
  outcome: optionalKey(
    oneWordOf(OUTCOMES),
    'The run ends here, like this; "input" is its result. "stop" ends as ok unless it says otherwise.',
  ),
  failure: optionalKey(freeText, 'Of an end: an expression that gives {code, message}, why it did not end well.'),
});

const limitsSchema = z.strictObject({
  duration_s: optionalKey(aboveZero, 'Seconds for the whole run.'),
  tokens: optionalKey(wholeNumber, 'Tokens for the whole run.'),
  usd: optionalKey(aboveZero, 'US dollars for the whole run.'),
  tool_rounds: optionalKey(wholeNumber, 'Model calls within one turn of an agent; 50 by default.'),
});

export const stateMachineSchema = z
  .strictObject({
    $schema: optionalKey(freeText, 'The JSON Schema of this file, for editors.'),
    workflow_name: nameText.check(describe('The name to run it by.')),
    description: optionalKey(freeText, 'What the workflow is good for.'),
    input: z.optional(parameterSchema),
    inputs: optionalKey(z.array(inputSchema), 'Several inputs, instead of "input".'),
    output: z.optional(parameterSchema),
    variables: optionalKey(
      openRecord,
      'First values of common_data. max_iterations bounds how often any one state is entered.',
    ),
    contexts: optionalKey(z.array(contextSchema), 'Conversations.'),
    agents: optionalKey(z.array(agentSchema), 'Who takes part.'),
    states: z.array(stateSchema).check(describe('The states and the ways between them.')),
    limits: optionalKey(limitsSchema, 'What the run may use before it pauses and asks.'),
    labels: labelsKey,
    internal: optionalKey(z.boolean(), 'Only other workflows call it, so lists of workflows leave it out.'),
    on_failure: optionalKey(
      z.enum(['keep', 'rollback'], { error: 'must be "keep" or "rollback"' }),
      'What becomes of the files when the run fails, crashes or times out: kept (the default) or put back.',
    ),
  })
  .check(z.meta({ id: 'workflow', description: 'A workflow as a state machine.' }));

export const workflowFileSchema = z
  .union([stateMachineSchema, z.array(stateMachineSchema)])
  .check(describe('One workflow, or a list of them.'));

export type WorkflowDocument = z.infer<typeof stateMachineSchema>;
export type StateDocument = z.infer<typeof stateSchema>;
export type ContextDocument = z.infer<typeof contextSchema>;
export type AgentDocument = z.infer<typeof agentSchema>;
export type TransitionDocument = z.infer<typeof transitionSchema>;
export type InputDocument = z.infer<typeof inputSchema>;
