import * as z from 'zod/mini';
import { SERVER_PATTERN } from '../../core/model/mcp-names.ts';
import { SIGNALS } from '../../core/model/signal-name.ts';
import { describe, flagSchema, freeText, nameText, oneWordOf, openRecord, optionalKey } from '../schema-parts.ts';

/** The format of roles (SM7): one entry a role. Every key may be left out, so that an entry can change one thing of a shipped role. */

/** Providers refuse other names. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

const toolName = z.string({ error: 'must be text' }).check(
  z.regex(TOOL_NAME, {
    error: 'must be 1 to 64 letters, digits, underscores or dashes',
  }),
);

/** A tool, or all tools of an MCP server. */
export const listedTool = z.string({ error: 'must be text' }).check(
  z.regex(new RegExp(`${TOOL_NAME.source}|${SERVER_PATTERN.source}`), {
    error: 'must be 1 to 64 letters, digits, underscores or dashes, or mcp__SERVER__* for all tools of an MCP server',
  }),
);

const exampleSchema = z.strictObject({
  role: z.enum(['user', 'assistant'], { error: 'must be "user" or "assistant"' }),
  content: freeText,
});

const needSchema = z
  .strictObject({
    when: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    fields: z.array(nameText),
  })
  .check(describe('When the arguments have these values, these others must not be empty.'));

const parsingToolSchema = z.strictObject({
  type: z.optional(z.literal('function', { error: 'must be "function"' })),
  function: z.strictObject({
    name: toolName,
    description: z.optional(freeText),
    parameters: optionalKey(openRecord, 'JSON Schema of the arguments: an object.'),
  }),
  needs: z.optional(z.array(needSchema)),
});

export const roleSchema = z
  .strictObject({
    level: optionalKey(
      nameText,
      'Which model: base (the default), smart, fast, or a model named in the configuration.',
    ),
    systemMessage: optionalKey(freeText, 'Who the agent is and how it works.'),
    examples: optionalKey(z.array(exampleSchema), 'Exchanges shown before the conversation.'),
    excludedTools: optionalKey(z.array(listedTool), 'Tools this role must not use.'),
    includedTools: optionalKey(z.array(listedTool), 'When given, the only tools this role may use.'),
    parsingTools: optionalKey(z.array(parsingToolSchema), 'Structured replies: calling one ends the turn.'),
    mode: optionalKey(
      oneWordOf(['read', 'commands', 'write']),
      'What its tools may do: read only, run commands too on a copy that is thrown away, or write (the default).',
    ),
    network: optionalKey(flagSchema, 'Its commands reach the network; off by default.'),
    tasks: optionalKey(
      z.array(nameText),
      'The roles it may start sub-agents of with the tool task; its own by default.',
    ),
    ask: optionalKey(
      z.array(listedTool),
      'Tools that it may use only when a person allowed it, each time or for good.',
    ),
    actor: optionalKey(
      nameText,
      'Who plays it: claude-code, codex, acp:NAME; a model of the settings, by its level, by default.',
    ),
    signals: optionalKey(
      z.array(oneWordOf(SIGNALS)),
      'The signals it may send with signal_back. A role with signals must end each turn with one of them.',
    ),
    followups: optionalKey(z.array(nameText), 'The roles it may ask for with needs-role-followup; any by default.'),
    fallback: optionalKey(
      z.array(nameText),
      'The roles that play its stages, one after the other, when it failed; for stage workflows.',
    ),
  })
  .check(z.meta({ id: 'role', description: 'A role.' }));

export const rolesFileSchema = z
  .catchall(z.object({ $schema: optionalKey(freeText, 'The JSON Schema of this file, for editors.') }), roleSchema)
  .check(describe('Roles by name.'));

export type RoleDocument = z.infer<typeof roleSchema>;
