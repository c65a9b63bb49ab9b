import * as z from 'zod/mini';
import { listedTool, roleSchema } from '../roles/role-schema.ts';
import { freeText, nameText } from '../source/schema-parts.ts';
import { AGENT_MODES } from './agent-mode.ts';

/** The format of a type of agent (PH3): one file each. Every key may be left out, so that a file can change one thing of a shipped type. */

const describe = (text: string) => z.describe(text);
const role = roleSchema.shape;
const nameList = z.array(nameText, { error: 'must be a list of names' });
const toolList = z.array(listedTool, { error: 'must be a list of tools' });

export const agentTypeSchema = z
  .strictObject({
    $schema: z.optional(freeText.check(describe('The JSON Schema of this file, for editors.'))),
    description: z.optional(freeText.check(describe('What it is for, in a sentence.'))),
    preset: z.optional(
      nameText.check(
        describe('Which layers its prompt has: planning, execution, verification, orchestrator, or one of your own.'),
      ),
    ),
    mode: z.optional(
      z
        .enum(AGENT_MODES, { error: `must be one of ${AGENT_MODES.join(', ')}` })
        .check(describe('What it is at. The mode decides which tools it has and what they may do.')),
    ),
    layers: z.optional(nameList.check(describe('The layers of its prompt, in order, instead of those of the preset.'))),
    tools: z.optional(
      toolList.check(describe('Its tools, instead of those of its mode, and within what the mode lets tools do.')),
    ),
    moreTools: z.optional(toolList.check(describe('Tools besides those of its mode, such as tools of your own.'))),
    excludedTools: role.excludedTools,
    level: role.level,
    actor: role.actor,
    network: role.network,
    tasks: role.tasks,
    ask: role.ask,
    examples: role.examples,
    parsingTools: role.parsingTools,
    signals: role.signals,
    followups: role.followups,
  })
  .check(describe('A type of agent.'));

export type AgentTypeDocument = z.infer<typeof agentTypeSchema>;

/** `presets.yaml`: by name, the layers of a prompt in their order. */
export const presetsSchema = z.record(nameText, nameList, { error: 'must be a mapping of names to lists of layers' });
