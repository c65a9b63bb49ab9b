import type { AgentMessage } from '../agent-message.ts';
import type { Delivery } from '../driver/decision.ts';
import { replyTools } from './reply-tools.ts';

/** What the agent of a stage is told. */
export function taskText(delivery: Delivery): string {
  const { stage, iteration, description, message, inputs, outputType, note } = delivery;
  const [tool] = replyTools(outputType);
  const parts = [
    `# Stage ${stage}${iteration > 1 ? ` (round ${iteration})` : ''}`,
    description,
    ...(note === undefined ? [] : [`## Before you go on\n\n${note}`]),
    section(message),
    ...(inputs.length === 0 ? [] : ['# What there is so far', ...inputs.map(section)]),
    `When you are done, call \`${tool?.name ?? outputType}\`. It ends your turn.`,
  ];
  return parts.join('\n\n');
}

function section({ type, from, content }: AgentMessage): string {
  const head = `## ${content.subject === '' ? type : content.subject} (${type} from ${from})`;
  const details = Object.entries(content.metadata ?? {})
    .filter(([, value]) => value !== '' && value !== undefined && value !== content.body)
    .map(([name, value]) => detail(name, value));
  return [head, content.body, details.join('\n')].filter((part) => part !== '').join('\n\n');
}

function detail(name: string, value: unknown): string {
  if (!Array.isArray(value)) return `${name}: ${plain(value)}`;
  return value.length === 0 ? `${name}: none` : [`${name}:`, ...value.map((item) => `- ${plain(item)}`)].join('\n');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
