import { z } from 'zod';
import { CODE_GROUPS } from './code-texts/code-groups.ts';
import { adminFields, neededRole, type OperationName } from '../../src/protocol/operations/access.ts';
import { IMMEDIATE_ACTS, ORDERS } from '../../src/protocol/operations/acts.ts';
import { PRINTED } from '../../src/protocol/operations/printed.ts';
import { PROJECT } from '../../src/protocol/operations/project.ts';
import { TOKENS } from '../../src/protocol/operations/tokens.ts';
import { VIEWS } from '../../src/protocol/operations/views.ts';

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly additionalProperties?: Shape | boolean;
}

const madeFrom = (source: string): string =>
  `This page is made from ${source}. To make it again: \`npx vitest run test/reference --update=all\`.`;

const NOTE = madeFrom('the schemas in `src/protocol`');

/** Every operation: what it takes and what it answers. */
export function operationsText(): string {
  const acts = Object.entries({ ...ORDERS, ...IMMEDIATE_ACTS });
  const sections = [...acts, ...Object.entries(VIEWS), ...Object.entries(PROJECT), ...Object.entries(TOKENS)].map(
    ([name, { request, answer }]) =>
      `## ${name}\n\n${fieldsText(shapeOf(request))}\n\nAnswer: ${answerText(shapeOf(answer))}\n${roleText(name)}`,
  );
  return `# Operations\n\nWhat can be done to runs and looked at, the same through command line, HTTP, MCP and the library. A request with a field that is\nnot named here is refused. ${NOTE}\n\n${sections.join('\n')}`;
}

/** The least role on a team's server; tokens are managed on its own machine only. */
function roleText(name: string): string {
  if (Object.hasOwn(TOKENS, name)) return '\nOn the command line of the server only.\n';
  const fields = adminFields(name as OperationName).map(code);
  const more = fields.length === 0 ? '' : `; with ${fields.join(', ')}: \`admin\``;
  return `\nLeast role on a team's server: ${code(neededRole(name as OperationName))}${more}\n`;
}

/** What each command prints with `--json`. */
export function jsonText(): string {
  const sections = Object.entries(PRINTED).map(([command, schemas]) => {
    const forms = schemas.flatMap((schema) => formsOf(shapeOf(schema)));
    return `## troupe ${command}\n\n${[...new Set(forms.map(formText))].join('\n\n')}\n`;
  });
  return `# What --json prints\n\nOne object with \`kind\`. A list is \`{kind, items, next}\`; \`next\` is null at the end. Events are printed as they happen, one object a\nline. Fields are added, never renamed. ${NOTE}\n\n${sections.join('\n')}`;
}

/** Every code, what it means and what to do. */
export function codesText(): string {
  const sections = Object.entries(CODE_GROUPS).map(([title, codes]) => {
    const rows = Object.entries(codes).map(
      ([name, [meaning, advice]]) => `| \`${name}\` | ${cell(meaning)} | ${cell(advice)} |`,
    );
    return `## ${title}\n\n| code | meaning | what to do |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Codes\n\nErrors, failed runs, refused tool calls and problems of files carry one of these codes. A workflow can end a run with its own codes:\nits file explains them. ${madeFrom('`test/reference/code-texts`')}\n\n${sections.join('\n')}`;
}

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const shapeOf = (schema: z.ZodType): Shape =>
  JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })),
  ) as Shape;

const formsOf = (shape: Shape): readonly Shape[] => shape.oneOf ?? shape.anyOf ?? [shape];

const answerText = (shape: Shape): string => formsOf(shape).map(kindText).join(' or ');

function kindText({ properties = {} }: Shape): string {
  const { kind } = properties;
  return kind === undefined ? 'an object' : typeText(kind);
}

function formText(shape: Shape): string {
  const { items } = shape.properties ?? {};
  const item = typeof items?.items === 'object' ? formsOf(items.items) : [];
  const lists = item
    .filter(({ properties }) => properties !== undefined)
    .map((one) => `Each item:\n\n${fieldsText(one)}`);
  return [
    `${kindText(shape)}${shape.description === undefined ? '' : `: ${shape.description}`}`,
    fieldsText(shape),
    ...lists,
  ].join('\n\n');
}

function fieldsText({ properties = {}, required = [] }: Shape): string {
  const rows = Object.entries(properties).map(
    ([name, one]) =>
      `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${typeText(one)} | ${cell(one.description ?? '')} |`,
  );
  return rows.length === 0 ? 'No fields.' : ['| field | type | meaning |', '|---|---|---|', ...rows].join('\n');
}

function typeText(shape: Shape): string {
  if (shape.const !== undefined) return code(shape.const);
  if (shape.enum !== undefined) return shape.enum.map(code).join(', ');
  const forms = shape.anyOf ?? shape.oneOf;
  if (forms !== undefined) return [...new Set(forms.map(typeText))].join(' or ');
  if (shape.type === 'array') return typeof shape.items === 'object' ? `list of ${typeText(shape.items)}` : 'list';
  return [shape.type ?? 'any'].flat().join(' or ');
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
