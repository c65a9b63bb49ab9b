import { isJsonObject, type Json } from '../../core/json.ts';
import type { ToolCall } from '../../core/message.ts';
import { counted } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** `write_file src/a.ts`: the tool and the argument that says most. */
export function callText({ name, arguments: given }: ToolCall): string {
  const first = Object.values(isJsonObject(given) ? given : {}).find((value) => typeof value === 'string') ?? '';
  return oneLine(`${name} ${String(first)}`, 80);
}

/** A structured reply, such as a verdict: `hand_in_review: REVISE_BEST · 2 findings`. */
export function replyText({ name, arguments: given }: ToolCall): string {
  const parts = Object.entries(isJsonObject(given) ? given : {}).flatMap(([key, value]) => partText(key, value) ?? []);
  return oneLine([name, parts.join(' · ')].filter((part) => part !== '').join(': '), 240);
}

const MOST_NAMES = 4;

function partText(key: string, value: Json): string | null {
  const name = key.replaceAll(/[_-]/g, ' ');
  if (typeof value === 'string') return value === '' ? null : oneLine(value, 160);
  if (typeof value === 'boolean') return `${name}: ${value ? 'yes' : 'no'}`;
  if (typeof value === 'number') return `${name}: ${value}`;
  return Array.isArray(value) ? listText(name, value as readonly Json[]) : null;
}

function listText(name: string, items: readonly Json[]): string | null {
  if (items.length === 0) return null;
  const isNames = items.every((item) => typeof item === 'string' && item.length <= 40);
  if (isNames && items.length <= MOST_NAMES) return `${name}: ${items.join(', ')}`;
  return counted(items.length, name.replace(/s$/, ''));
}
