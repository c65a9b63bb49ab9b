import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/model/json.ts';
import type { ScriptedAnswer, ScriptedFault, ScriptedOutcome } from './rule.ts';
import { wireEventText, type WireContext, type WireError, type WireFormat } from './wire-format.ts';

export interface ScriptedWire {
  readonly format: WireFormat;
  readonly context: WireContext;
}

/** Puts an answer or a fault on the wire. */
export function sendOutcome(response: ServerResponse, outcome: ScriptedOutcome, wire: ScriptedWire): void {
  if (outcome.kind === 'fault') return sendFault(response, outcome.fault, wire);
  if (outcome.delayMs === 0) return sendAnswer(response, outcome, wire);
  const alarm = setTimeout(() => sendAnswer(response, outcome, wire), outcome.delayMs);
  response.once('close', () => clearTimeout(alarm));
}

export function sendJson(response: ServerResponse, status: number, body: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, format: WireFormat, error: WireError): void {
  sendJson(response, error.status, format.errorBody(error));
}

function sendAnswer(response: ServerResponse, answer: ScriptedAnswer, wire: ScriptedWire): void {
  if (!wire.context.request.isStream) return sendJson(response, 200, wire.format.replyBody(answer, wire.context));
  openStream(response);
  const texts = wire.format.replyEvents(answer, wire.context).map(wireEventText);
  if (answer.paceMs > 0) return sendPaced(response, texts, answer.paceMs);
  for (const text of texts) response.write(text);
  response.end();
}

/** Sends piece by piece at the requested pace; stops when the client hangs up. */
function sendPaced(response: ServerResponse, texts: readonly string[], paceMs: number): void {
  const left = texts.values();
  const timer = setInterval(() => {
    const { value, done } = left.next();
    if (done === true) response.end();
    else response.write(value);
  }, paceMs);
  response.once('close', () => clearInterval(timer));
}

function sendFault(response: ServerResponse, fault: ScriptedFault, wire: ScriptedWire): void {
  switch (fault.kind) {
    // The client is left waiting; it goes when the client hangs up or the server closes.
    case 'hang':
      return;
    case 'status':
      return sendStatus(response, fault, wire);
    case 'overloaded':
      return sendError(response, wire.format, wire.format.overloaded);
    case 'overflow':
      return sendError(response, wire.format, wire.format.overflow(fault.tokens, fault.window));
    case 'empty':
      return sendAnswer(response, nothing(''), wire);
    case 'cut':
      return sendCut(response, nothing(fault.text), wire);
    case 'malformed':
      return sendMalformed(response, wire);
    case 'stream-error':
      return sendBroken(response, fault.error, wire);
  }
}

function sendStatus(
  response: ServerResponse,
  fault: Extract<ScriptedFault, { kind: 'status' }>,
  { format }: ScriptedWire,
): void {
  if (fault.retryAfter !== null) response.setHeader('retry-after', String(fault.retryAfter));
  sendError(response, format, { ...fault, message: fault.message ?? `Scripted status ${fault.status}.` });
}

const nothing = (text: string): ScriptedAnswer => ({
  kind: 'answer',
  id: 'fault',
  text,
  think: '',
  calls: [],
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
  delayMs: 0,
  paceMs: 0,
  chunk: null,
  finish: 'done',
});

/** The first half of what would have been sent, then the socket goes. */
function sendCut(response: ServerResponse, answer: ScriptedAnswer, wire: ScriptedWire): void {
  const { format, context } = wire;
  const isStream = context.request.isStream;
  if (isStream) openStream(response);
  else response.writeHead(200, { 'content-type': 'application/json' });
  const whole = isStream
    ? format.replyEvents(answer, context).map(wireEventText)
    : JSON.stringify(format.replyBody(answer, context)).split('');
  response.write(whole.slice(0, Math.ceil(whole.length / 2)).join(''), () => response.destroy());
}

function sendMalformed(response: ServerResponse, wire: ScriptedWire): void {
  const text = '<p>This is not the reply of a model.</p>';
  if (!wire.context.request.isStream) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return;
  }
  openStream(response);
  response.end(wireEventText({ data: text }));
}

function sendBroken(response: ServerResponse, error: string, wire: ScriptedWire): void {
  const { format, context } = wire;
  const trouble = { status: 500, error, message: `Scripted error in the stream: ${error}.` };
  if (!context.request.isStream) return sendError(response, format, trouble);
  openStream(response);
  const events = format.replyEvents(nothing('This stream breaks.'), context);
  for (const event of events.slice(0, Math.ceil(events.length / 2))) response.write(wireEventText(event));
  response.end(wireEventText(format.errorEvent(trouble, context)));
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
}
