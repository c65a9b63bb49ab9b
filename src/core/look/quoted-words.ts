import { isJsonObject, type Json } from '../model/json.ts';

/** A passage in an agent's view that an order may repeat. */
export interface QuotedPassage {
  /** Who said it, as the view names it. */
  readonly by: string;
  readonly text: string;
  /** The text as it is written in the view: that of a structured reply is inside of JSON. */
  readonly written: string;
  /** Its index in the view; null if it stays as it is: the agent said it itself, or it is an order to the agent. */
  readonly index: number | null;
}

/** Shorter passages, such as "approved", may occur anywhere. */
const SHORTEST = 12;

/** Shorter texts inside a reply are values, such as a verdict or a file name: an order that names one does not repeat the reply. */
const FEWEST_WORDS = 3;

/** As many of the newest passages are compared with an order. */
const COMPARED = 32;

/** The passages of a message that are long enough to be recognised: its text, and every text inside of a structured reply. */
export function passagesIn(
  said: Omit<QuotedPassage, 'text' | 'written'>,
  text: string,
  reply?: Json,
): readonly QuotedPassage[] {
  const whole = text.trim();
  const all = whole.length < SHORTEST ? [] : [{ ...said, text: whole, written: whole }];
  if (reply === undefined) return all;
  const inReply = textsIn(reply)
    .filter((each) => each.length >= SHORTEST && each.split(/\s+/, FEWEST_WORDS).length === FEWEST_WORDS)
    .map((each) => ({ ...said, text: each, written: quoted(each) }));
  return [...all, ...inReply];
}

export function remember(passages: QuotedPassage[], more: readonly QuotedPassage[]): void {
  passages.push(...more);
  if (passages.length > COMPARED) passages.splice(0, passages.length - COMPARED);
}

/** The passages that an order repeats word for word. */
export const repeatedIn = (order: string, passages: readonly QuotedPassage[]): readonly QuotedPassage[] =>
  passages.filter(({ text }) => order.includes(text));

/** Uses a function because `$&` in a remark has a special meaning. */
export const withRemark = (text: string, passage: string, remark: string): string =>
  text.replace(passage, () => remark);

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value.trim()];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
