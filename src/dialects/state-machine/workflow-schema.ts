import * as z from 'zod/mini';
import { aboveZero, freeText, nameText, openRecord, wholeNumber } from '../source/schema-parts.ts';

/** The format of state-machine workflow files (SM1). Types, checks and the editors' JSON Schema all come from here. */

const describe = (text: string) => z.describe(text);

const expressionText = freeText.check(
  describe(
    "An expression, such as common_data.task or 'Do: ' + common_data.task. A fixed text needs quotes of its own.",
  ),
);
const scriptText = freeText.check(
  describe('JavaScript: statements, () => { … } or executionContext => { … }. It may change this.common_data.'),
);

const parameterSchema = z.strictObject({
  name: nameText.check(describe('The key in common_data that holds the value.')),
  type: z
    .enum(['string', 'number', 'boolean', 'object', 'array'], {
      error: 'must be one of string, number, boolean, object, array',
    })
    .check(describe('What kind of value it is.')),
  description: z.optional(freeText.check(describe('What the value is for.'))),
});

const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant'], { error: 'must be one of system, user, assistant' }),
  content: freeText,
});

export const contextSchema = z.strictObject({
  name: nameText.check(describe('The name that agents and scripts use.')),
  starting_messages: z.optional(
    z.array(messageSchema).check(describe('What stands in the conversation when the run starts.')),
  ),
  max_length: z.optional(
    wholeNumber.check(describe('Characters after which the oldest messages are dropped; 50000 unless given.')),
  ),
});

export const agentSchema = z.strictObject({
  agent_role: nameText.check(describe('A role of the project; also the name states use for the agent.')),
  context: nameText.check(describe('The conversation the agent takes part in.')),
  role: z
    .enum(['assistant', 'user'], { error: 'must be "assistant" or "user"' })
    .check(describe('The side of the conversation it speaks from.')),
});

const actionSchema = z.strictObject({
  function: z.optional(
    z
      .enum(['sendUserMessage', 'addUserMessage', 'clearConversation', 'script'], {
        error: 'must be one of sendUserMessage, addUserMessage, clearConversation, script',
      })
      .check(
        describe(
          'sendUserMessage: the agent answers. addUserMessage: it is only told. clearConversation: it forgets. script: only the script runs.',
        ),
      ),
  ),
  script: z.optional(scriptText),
  sub_workflow: z.optional(nameText.check(describe('Another workflow, run to its end in isolation.'))),
  sub_workflow_input: z.optional(
    z
      .record(nameText, expressionText, { error: 'must be a mapping of input names to expressions' })
      .check(describe('For each input of the sub-workflow the expression that gives it.')),
  ),
});

const transitionSchema = z.strictObject({
  target: nameText.check(describe('The state to go to.')),
  condition: z.optional(
    z
      .union([freeText, z.boolean()], { error: 'must be an expression, true or false' })
      .check(describe('The first transition whose condition holds is taken. Left out, it always holds.')),
  ),
  before: z.optional(scriptText),
});

export const stateSchema = z.strictObject({
  name: nameText.check(describe('"start" is entered first; "stop" ends the run.')),
  agent: z.optional(nameText.check(describe('The agent that speaks, by its agent_role.'))),
  agents: z.optional(
    z
      .array(nameText)
      .check(
        z.minLength(1, { error: 'must name at least one agent' }),
        describe('Several agents that answer at the same time, instead of "agent".'),
      ),
  ),
  input: z.optional(expressionText),
  action: z.optional(actionSchema),
  transition: z.optional(z.array(transitionSchema).check(describe('Ways out, tried in order.'))),
  timeout_s: z.optional(aboveZero.check(describe('Seconds after which the work of this state is stopped.'))),
  on_failure: z.optional(
    nameText.check(describe('The state to go to when the work failed, timed out, met a quota or crashed.')),
  ),
});

const limitsSchema = z.strictObject({
  duration_s: z.optional(aboveZero.check(describe('Seconds for the whole run.'))),
  tokens: z.optional(wholeNumber.check(describe('Tokens for the whole run.'))),
  usd: z.optional(aboveZero.check(describe('US dollars for the whole run.'))),
  tool_rounds: z.optional(wholeNumber.check(describe('Model calls within one turn of an agent; 50 unless given.'))),
});

export const workflowSchema = z
  .strictObject({
    $schema: z.optional(freeText.check(describe('The JSON Schema of this file, for editors.'))),
    workflow_name: nameText.check(describe('The name to run it by.')),
    description: z.optional(freeText.check(describe('What the workflow is good for.'))),
    input: z.optional(parameterSchema),
    output: z.optional(parameterSchema),
    variables: z.optional(
      openRecord.check(
        describe('First values of common_data. max_iterations bounds how often any one state is entered.'),
      ),
    ),
    contexts: z.optional(z.array(contextSchema).check(describe('Conversations.'))),
    agents: z.optional(z.array(agentSchema).check(describe('Who takes part.'))),
    states: z.array(stateSchema).check(describe('The states and the ways between them.')),
    limits: z.optional(limitsSchema.check(describe('What the run may use before it pauses and asks.'))),
  })
  .check(z.meta({ id: 'workflow', description: 'A workflow as a state machine.' }));

export const workflowFileSchema = z
  .union([workflowSchema, z.array(workflowSchema)])
  .check(describe('One workflow, or a list of them.'));

export type WorkflowDocument = z.infer<typeof workflowSchema>;
export type StateDocument = z.infer<typeof stateSchema>;
export type ContextDocument = z.infer<typeof contextSchema>;
export type AgentDocument = z.infer<typeof agentSchema>;
export type TransitionDocument = z.infer<typeof transitionSchema>;
export type ActionDocument = z.infer<typeof actionSchema>;
