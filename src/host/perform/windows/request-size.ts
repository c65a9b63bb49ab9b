import type { CallRequest } from '../../../actors/port.ts';
import type { RequestSize } from '../../../core/record/compaction-fact.ts';
import { keptOf, keptOfTurn, seenContext } from '../../../core/step/turn/compaction-progress.ts';
import type { Message } from '../../../core/model/message.ts';
import { usualOutput, type ModelWindow } from '../../../core/model/model-window.ts';
import type { Overflow } from '../../../core/model/outcome.ts';
import { sharedWithin } from '../../../core/look/shared-text.ts';
import type { Snapshot } from '../../../core/fold/snapshot.ts';
import type { SeenMessage } from '../../../core/look/view.ts';
import { BYTES_A_TOKEN } from '../../../tools/bound-result.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/**
 * Estimates the tokens of a request: what the endpoint counted last, plus the UTF-8 bytes of new text, scaled by that count.
 * All of it follows from the journal, so that a resumed run decides the same. The margin of the usable part covers errors of
 * the estimate.
 */
export interface MeasuredCall {
  readonly window: ModelWindow;
  readonly request: CallRequest;
  readonly speaker: Speaker;
  readonly snapshot: Snapshot;
}

export function sizeOfRequest(call: MeasuredCall): RequestSize {
  return sizeWith(call, roomIn(call.window, call.snapshot), tokensOf(call));
}

type Room = Pick<RequestSize, 'window' | 'usable'>;

function sizeWith(call: MeasuredCall, room: Room, tokens: number): RequestSize {
  const { model, mayEdit } = call.window;
  const fixed = tokens < room.usable / 2 ? 0 : Math.ceil((tokens * fixedBytes(call)) / bytesOf(call));
  const density = Math.round((100 * tokens * BYTES_A_TOKEN) / bytesOf(call)) / 100;
  return { model, ...room, tokens, density, fixed, mayEdit };
}

/** The window, and the part of it that a request may fill. A window that the endpoint named takes precedence over a guess. */
export function roomIn(window: ModelWindow, { windows }: Pick<Snapshot, 'windows'>): Room {
  const learned = windows[window.model];
  const known = window.isConfigured ? Math.min(window.tokens, learned ?? Infinity) : (learned ?? window.tokens);
  // A share of a guessed window is the same share of the real one.
  const isUsual = window.output === usualOutput(window.tokens);
  const output = Math.min(isUsual ? usualOutput(known) : window.output, Math.floor(known / 2));
  return { window: known, usable: Math.max(Math.floor(known * (1 - MARGIN)) - output, 0) };
}

/** The shared text for a model, by what is known of its window now. */
export function sharedIn(text: string, window: ModelWindow | undefined, known: Pick<Snapshot, 'windows'>): string {
  return window === undefined ? text : sharedWithin(text, roomIn(window, known).window);
}

const MARGIN = 0.1;

/** The sizes known after the endpoint refused the request as too large, and the size of the next one. */
export function sizeAfterOverflow(call: MeasuredCall, { window: named, tokens: counted }: Overflow): RequestSize {
  const { window, snapshot } = call;
  const before = tokensOf(call);
  const learned = named ?? Math.min(roomIn(window, snapshot).window, before);
  const room = roomIn(window, { windows: { ...snapshot.windows, [window.model]: learned } });
  // It was refused as too large, so it exceeded the window whatever the estimate says.
  const tokens = Math.max(counted ?? before, learned);
  const next = withinWindow(call, room);
  return sizeWith(next, room, Math.ceil((tokens * bytesOf(next)) / bytesOf(call)));
}

/** The same call once this window is known. */
function withinWindow(call: MeasuredCall, { window }: Room): MeasuredCall {
  const { request } = call;
  const shared = sharedWithin(request.shared, window);
  return shared === request.shared ? call : { ...call, request: { ...request, messages: request.messages, shared } };
}

/** Bytes of this request that make so many tokens. */
export const bytesFor = (call: MeasuredCall, tokens: number): number => Math.floor(tokens * bytesAToken(call));

function bytesAToken(call: MeasuredCall): number {
  const { summary } = call.speaker.turn;
  const density = summary === undefined ? densityOf(call) : (summary.before * BYTES_A_TOKEN) / bytesOf(call);
  return BYTES_A_TOKEN / bounded(density);
}

/** The estimate for a request that asks for a summary in place of this one. */
export const summaryTokens = (call: MeasuredCall, asked: CallRequest): number =>
  Math.ceil(bytesOf({ request: asked }) / bytesAToken(call));

/** The real tokens per estimated token for this model: by its count in this turn, else by its family. */
const densityOf = (call: MeasuredCall): number => countedLast(call)?.density ?? call.window.density;

/** The endpoint's last count, unless no text could have that many tokens. */
function countedLast(call: MeasuredCall): (Reported & { readonly density: number }) | null {
  const { reported } = call.speaker.turn;
  if (reported === undefined) return null;
  const then = bytesOf(call) - addedBytes(call.speaker, reported.messages - 1);
  const density = (reported.input * BYTES_A_TOKEN) / Math.max(then, 1);
  return density > MOST_DENSITY ? null : { ...reported, density: bounded(density) };
}

type Reported = NonNullable<Speaker['turn']['reported']>;

const bounded = (density: number): number => Math.min(Math.max(density, LEAST_DENSITY), MOST_DENSITY);
const [LEAST_DENSITY, MOST_DENSITY] = [0.7, 4];

function tokensOf(call: MeasuredCall): number {
  const counted = countedLast(call);
  const density = (counted?.density ?? call.window.density) / BYTES_A_TOKEN;
  const all = bytesOf(call) * density;
  if (counted === null) return Math.ceil(all);
  // An endpoint that silently truncates requests reports only what it kept.
  return Math.ceil(Math.max(counted.tokens + addedBytes(call.speaker, counted.messages) * density, all / 2));
}

/** Bytes of the messages that this turn has had since then. */
function addedBytes({ turn }: Speaker, since: number): number {
  let bytes = 0;
  for (let index = since; index < turn.messages.length; index += 1) {
    const message = turn.messages.items[index];
    if (message !== undefined) bytes += messageBytes(message);
  }
  return bytes;
}

export function bytesOf({ request }: Pick<MeasuredCall, 'request'>): number {
  return baseBytes(request) + bytesOnce(request.messages, (all) => sumOf(all, messageBytes));
}

/** The instructions and the tools. */
export function baseBytes({ shared, role, tools, introduction = '' }: CallRequest): number {
  const texts = sumOf([shared, role.systemMessage, introduction], (text) => Buffer.byteLength(text));
  return texts + sumOf(role.examples, messageBytes) + sumOf(tools, jsonBytes);
}

function fixedBytes({ request, speaker, snapshot }: MeasuredCall): number {
  return baseBytes(request) + sumOf(keptMessages(speaker, snapshot), messageBytes);
}

/** The orders, which stay when all else is removed. */
export function keptMessages({ agent, turn }: Speaker, { contexts }: Snapshot): readonly Message[] {
  return [...keptOf(agent.name, seenContext(turn, contexts[agent.context])), ...keptOfTurn(turn)];
}

function sumOf<T>(list: readonly T[], size: (one: T) => number): number {
  let sum = 0;
  for (const one of list) sum += size(one);
  return sum;
}

/** The bytes around a message on the wire. */
const FRAME_BYTES = 16;

export const messageBytes = (message: SeenMessage): number =>
  bytesOnce(message, ({ content, toolCalls, meta }) => {
    return Buffer.byteLength(content) + jsonBytes(toolCalls) + jsonBytes(meta) + FRAME_BYTES;
  });

function jsonBytes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return bytesOnce(value, (one) => Buffer.byteLength(JSON.stringify(one)));
}

/** Messages, tools, calls and signed reasoning never change. */
const sizes = new WeakMap<object, number>();

function bytesOnce<T extends object>(value: T, count: (value: T) => number): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const bytes = count(value);
  sizes.set(value, bytes);
  return bytes;
}
