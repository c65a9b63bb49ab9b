import { isJsonObject, type Json } from '../../../../core/json.ts';
import { liveImplementations, type Ledger } from '../../../../core/review/ledger.ts';
import { hasKeyword, readKeywords } from '../../../../core/review/read-keywords.ts';
import type { TakeInput } from './review-input.ts';

export const replyTool = (kind: TakeInput['kind']): string =>
  kind === 'review' ? 'hand_in_review' : 'hand_in_position';

/** What a reviewer handed in, or the document's keywords from a model that cannot call tools (PD4); null where it gave neither. */
export function replyGiven(ledger: Ledger, { kind, calls, text }: TakeInput): Json {
  const wanted = replyTool(kind);
  const call = calls.findLast(({ name }) => name === wanted);
  if (call !== undefined) return withPlainPlaces(parsed(call.arguments));
  if (!hasKeyword(text)) return null;
  const implementations = liveImplementations(ledger);
  return withPlainPlaces(readKeywords(text, { kind, implementations }) as unknown as Json);
}

/** Some models write the arguments as text. */
function parsed(given: Json): Json {
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) as Json;
  } catch {
    return given;
  }
}

/** `src/a.ts:12` as the name of a file is a file and a line. */
function withPlainPlaces(given: Json): Json {
  if (!isJsonObject(given) || !Array.isArray(given['findings'])) return given;
  const findings = given['findings'].map((one: Json): Json => {
    const file = isJsonObject(one) ? one['file'] : null;
    const [, path, line] = typeof file === 'string' ? (/^(.+?):(\d+)(?:[-:]\d+)?$/.exec(file.trim()) ?? []) : [];
    if (!isJsonObject(one) || path === undefined || line === undefined) return one;
    return { ...one, file: path, line: one['line'] ?? Number(line) };
  });
  return { ...given, findings };
}
