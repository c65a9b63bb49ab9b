import { listOf } from '../../../core/model/append-list.ts';
import type { Summarising } from '../../../core/fold/turn-state.ts';
import { summaryPrompt } from '../../../core/look/summary-prompt.ts';
import { viewFor, type SeenMessage } from '../../../core/look/view.ts';
import { baseBytes, bytesFor, keptMessages, messageBytes, roomIn, type MeasuredCall } from './request-size.ts';

/** One request for a summary, and what it leaves for the next one. */
export interface SummaryPartOrder {
  readonly messages: readonly SeenMessage[];
  /** Messages that it does not cover, counted from the newest. */
  readonly left: number;
  /** Bytes that the summary may have. */
  readonly most: number;
}

/**
 * The whole conversation with its prefix unchanged if that fits. Otherwise as much as fits, as text after the orders and the
 * summary so far, with long messages cut. Null if not even one message fits besides the orders.
 */
export function summaryPart(call: MeasuredCall, summary: Summarising): SummaryPartOrder | null {
  const { window, request, snapshot } = call;
  const { usable } = roomIn(window, snapshot);
  const room = bytesFor(call, usable / 2 ** summary.halvings) - baseBytes(request);
  const most = Math.max(
    Math.min(Math.floor(bytesFor(call, usable) / 8), MOST_SUMMARY, window.output * 2),
    LEAST_SUMMARY,
  );
  const prompt = summaryPrompt(Math.floor(most / BYTES_A_WORD));
  const whole = [...request.messages, { role: 'user', content: prompt } as const];
  if (summary.left === null && bytesIn(whole) <= room) return { messages: whole, left: 0, most };
  return textPart(call, summary, { room, most, prompt });
}

/** In bytes: an eighth of the window, within what the model may write in one reply. */
const [LEAST_SUMMARY, MOST_SUMMARY] = [600, 24_000];
const BYTES_A_WORD = 8;

interface PartBounds {
  readonly room: number;
  readonly most: number;
  readonly prompt: string;
}

function textPart(
  call: MeasuredCall,
  { left, text }: Summarising,
  { room, most, prompt }: PartBounds,
): SummaryPartOrder | null {
  const { request, speaker, snapshot } = call;
  const orders = viewFor(speaker.agent.name, listOf(keptMessages(speaker, snapshot)), listOf([]));
  const earlier = text === '' ? '' : `Your summary of what came before:\n\n${text}\n\n`;
  const free = room - bytesIn(orders) - bytesIn([{ role: 'user', content: earlier + HEADING + prompt }]);
  if (free < LEAST_ROOM) return null;
  const longest = Math.min(LONGEST_MESSAGE, Math.floor(free / 6));
  const known = new Set(orders.map(({ content }) => content));
  const lines: string[] = [];
  let index = request.messages.length - (left ?? request.messages.length);
  for (let used = 0; index < request.messages.length; index += 1) {
    const message = request.messages[index];
    if (message === undefined || known.has(message.content)) continue;
    // None is longer than a part, so that each part covers at least one message.
    const line = withinBytes(lineOf(message, longest), free - LINE_BREAK_BYTES);
    used += Buffer.byteLength(line) + LINE_BREAK_BYTES;
    if (used > free) break;
    lines.push(line);
  }
  const content = [`${earlier}${HEADING}`, ...lines, prompt].join('\n\n');
  return { messages: [...orders, { role: 'user', content }], left: request.messages.length - index, most };
}

const HEADING = 'The next part of your conversation, with long messages cut:';
const LEAST_ROOM = 300;
const LONGEST_MESSAGE = 2000;
const LINE_BREAK_BYTES = 2;

function lineOf({ role, content, toolCalls = [], toolName }: SeenMessage, longest: number): string {
  const who = role === 'assistant' ? 'You' : role === 'tool' ? `Result of ${toolName ?? 'a tool'}` : 'Said to you';
  const calls = toolCalls.map((one) => `called ${one.name} with ${cut(JSON.stringify(one.arguments), longest / 2)}`);
  return [`${who}: ${cut(content, longest)}`, ...calls].join('\n');
}

function cut(text: string, most: number): string {
  const kept = text.length > most ? `${text.slice(0, Math.max(Math.floor(most) - 1, 0))}…` : text;
  return kept.toWellFormed();
}

/** The beginning of a text, never cut inside a character. */
export function withinBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return Buffer.from(text.slice(0, most))
    .subarray(0, most)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}

const bytesIn = (messages: readonly SeenMessage[]): number =>
  messages.reduce((sum, message) => sum + messageBytes(message), 0);
