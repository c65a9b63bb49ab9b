import { isJsonObject, type Json } from '../../core/json.ts';
import type { ToolCall } from '../../core/message.ts';
import { counted } from '../../protocol/amounts.ts';
import { oneLine } from '../../protocol/plain-text.ts';

/** A structured reply, such as a verdict: `hand_in_review: REVISE_BEST · 2 findings`. */
export function replyText({ name, arguments: given }: ToolCall): string {
  const parts = Object.entries(isJsonObject(given) ? given : {}).flatMap(([key, value]) => partText(key, value) ?? []);
  return oneLine([name, parts.join(' · ')].filter((part) => part !== '').join(': '), 240);
}

const MOST_NAMES = 4;
const LONGEST_NAME = 40;

function partText(key: string, value: Json): string | null {
  const name = key.replaceAll(/[_-]/g, ' ');
  if (typeof value === 'string') return value === '' ? null : oneLine(value, 160);
  if (typeof value === 'boolean') return `${name}: ${value ? 'yes' : 'no'}`;
  if (typeof value === 'number') return `${name}: ${value}`;
  return Array.isArray(value) ? listText(name, value as readonly Json[]) : null;
}

function listText(name: string, items: readonly Json[]): string | null {
  if (items.length === 0) return null;
  const names = items.filter((item) => typeof item === 'string').filter((item) => item.length <= LONGEST_NAME);
  if (names.length === items.length && items.length <= MOST_NAMES) return `${name}: ${names.join(', ')}`;
  return counted(items.length, name.replace(/s$/, ''));
}
